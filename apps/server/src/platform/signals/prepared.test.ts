import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSubUsersBelow } from '../../modules/network/answers/sub-users.pg.ts'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { type PreparedStatement, runPrepared } from '../postgres/prepared.pg.ts'
import { readRevisions } from './revisions.pg.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const plans: PreparedStatement = {
  name: 'plans',
  text: `select generic_plans::int as general, custom_plans::int as own from pg_prepared_statements where name = $1`,
}

test('a prepared statement is planned once per connection, not for each set of values', async () => {
  const request = () => runPrepared<{ general: number; own: number }>(core.db, plans, ['plans'])
  await request()
  const [before] = await request()
  const [after] = await request()
  expect(after).toEqual({ general: (before?.general ?? 0) + 1, own: 0 })
})

test('only the transaction itself sees its uncommitted change', async () => {
  const { access } = await readRevisions(core.db)
  await core.db.transaction().execute(async (transaction) => {
    await sql`update revision set access = ${access + 7}`.execute(transaction)
    expect((await readRevisions(transaction)).access).toBe(access + 7)
    expect((await readRevisions(core.db)).access).toBe(access)
  })
  expect((await readRevisions(core.db)).access).toBe(access + 7)
})

test('the revision query is answered while many slow pages wait', async () => {
  const requested = await core.db.transaction().execute(async (transaction) => {
    await sql`lock table node in access exclusive mode`.execute(transaction)
    const waiting = Array.from({ length: 8 }, () => listSubUsersBelow(core.db, '1', { page: 1, size: 10 }))
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query like '%sub-user%'`.execute(core.db)
      return rows[0]?.count
    }
    await expect.poll(countWaiting).toBe(3)
    expect(await readRevisions(core.db)).toMatchObject({ access: expect.any(Number) })
    return { waiting }
  })
  expect(await Promise.all(requested.waiting)).toHaveLength(8)
})

test('the revision query uses another connection after its connection is lost', async () => {
  const findDedicated = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query like 'select access, groups%'`.execute(
      core.db,
    )
    return rows.map(({ pid }) => pid)
  }
  const before = await readRevisions(core.db)
  const [held, ...others] = await findDedicated()
  expect(others).toEqual([])
  await sql`select pg_terminate_backend(${held})`.execute(core.db)
  await expect.poll(() => readRevisions(core.db).catch(() => 'refused')).toEqual(before)
  expect(await findDedicated()).not.toContain(held)
})
