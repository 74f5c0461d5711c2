import { createTestClickhouse } from '@isotherm/engines/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouseClient, createClickhouse } from '../../platform/clickhouse.ch.ts'
import { createLog } from '../../platform/log.ts'
import { migrateClickhouse } from '../../platform/migrate.ch.ts'
import { telemetryClickhouse } from './migrations.ch.ts'
import { createReadingStore } from './store.ch.ts'

let client: ClickHouseClient
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createTestClickhouse()
  client = createClickhouse({ clickhouseUrl: database.url })
  drop = database.drop
  await migrateClickhouse(client, [telemetryClickhouse], createLog({ logLevel: 'silent' }))
})
afterAll(async () => {
  await client.close()
  await drop()
})

test.each([500, 5_000, 100_000_000])(
  'newest values are read back whole and once, %d readings a statement',
  async (rowsAtOnce) => {
    await client.command({ query: 'TRUNCATE TABLE readings' })
    // Two parts of blocks that overlap, and ids at both ends of what there may be.
    for (const [from, value] of [
      [0, 1],
      [1, 2],
    ]) {
      await client.command({
        query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
        SELECT arrayJoin([1, 2, 4294967295, number * 7 + 10]) AS device, 12, toDateTime64('2026-11-20 00:00:00', 3, 'UTC') + ${from},
          ${value}, 0, now64(3), 1, 1, number, 1, 1 FROM numbers(20000)`,
      })
    }
    const store = createReadingStore(client, rowsAtOnce)
    const found = new Map<number, number[]>()
    await store.readLatest({ since: 0 }, ({ deviceId, values }) => {
      found.set(deviceId, [...(found.get(deviceId) ?? []), ...values.map(({ value }) => value)])
    })
    expect(found.size).toBe(20_003)
    expect(new Set([...found.values()].map((values) => values.join()))).toEqual(new Set(['2']))
  },
)
