import { createTestClickhouse } from '@isotherm/engines/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { toAppError } from '../to-app-error.ts'
import { type ClickHouseClient, createClickhouse, createReadRows } from './clickhouse.ch.ts'

let client: ClickHouseClient
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createTestClickhouse()
  client = createClickhouse({ clickhouseUrl: database.url })
  drop = database.drop
})
afterAll(async () => {
  await client.close()
  await drop()
})

test('rows are parsed by their schema', async () => {
  const read = createReadRows(client, 10)
  const query = 'SELECT number, toString(number) FROM numbers({count: UInt8})'
  expect(await read(z.tuple([z.coerce.number(), z.string()]), query, { count: 2 })).toEqual([
    [0, '0'],
    [1, '1'],
  ])
})

test('a query over the time limit is cancelled and becomes server.unavailable', async () => {
  const read = createReadRows(client, 1)
  const endless = 'SELECT sum(sipHash64(number)) FROM system.numbers'
  const failure = await read(z.tuple([z.string()]), endless).then(
    () => undefined,
    (error: unknown) => toAppError(error, 'r1'),
  )
  expect(failure).toMatchObject({ code: 'server.unavailable' })
})
