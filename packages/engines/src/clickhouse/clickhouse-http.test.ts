import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createClickhouseFront } from './clickhouse-http.ts'

const RUNNING_AND_WAITING = 8 + 256

test('a read above the limit is refused with the error of ClickHouse, the others wait', async () => {
  const busy = Promise.withResolvers<never>()
  const front = createClickhouseFront({
    sessions: { use: () => busy.promise, close: () => undefined },
    incomingDir: tmpdir(),
    user: 'reader',
    password: 'test',
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const address = front.address()
  if (address === null || typeof address === 'string') throw new Error('The front has no port')
  const headers = { 'x-clickhouse-user': 'reader', 'x-clickhouse-key': 'test' }
  const request = async (): Promise<string | null> => {
    const body = 'SELECT 1'
    const response = await fetch(`http://127.0.0.1:${address.port}/?default_format=TSV`, {
      method: 'POST',
      headers,
      body,
    })
    await response.text()
    return response.headers.get('x-clickhouse-exception-code')
  }
  try {
    const answers = Array.from({ length: RUNNING_AND_WAITING + 1 }, request)
    expect(await Promise.race(answers)).toBe('202')
    busy.reject(new Error('The engine is unavailable'))
    const codes = await Promise.all(answers)
    expect(codes.filter((code) => code === '202')).toHaveLength(1)
  } finally {
    front.closeAllConnections()
    front.close()
  }
})
