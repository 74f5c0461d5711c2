import { createTestDatabase } from '@isotherm/engines/testkit'
import pg from 'pg'
import { expect, test } from 'vitest'
import { toAppError } from '../to-app-error.ts'
import { createDedicatedConnection } from './dedicated-connection.pg.ts'

test('a connection without an answer is dropped, and the next query opens another', async () => {
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const held = createDedicatedConnection(pool, 300)
  try {
    const requestBackendId = async () =>
      (await held.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })).rows
    const [first] = await requestBackendId()
    expect(await requestBackendId()).toEqual([first])
    // Two queries wait for it, neither longer than the time limit of one.
    const hanging = ['select pg_sleep(60)', 'select 1'].map((text) => held.query({ text }))
    const failed = await Promise.allSettled(hanging)
    const codes = failed.map((one) => one.status === 'rejected' && toAppError(one.reason, 'a call').code)
    expect(codes).toEqual(['server.unavailable', 'server.unavailable'])
    const [second] = await requestBackendId()
    expect(second?.pid).not.toBe(first?.pid)
  } finally {
    held.release()
    await pool.end()
    await database.drop()
  }
})
