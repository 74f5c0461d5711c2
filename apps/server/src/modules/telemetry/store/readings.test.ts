import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import { readLatest } from './readings.ch.ts'
import { countQueries, startTestStore } from './store.testkit.ts'

let client: ClickHouseClient
let close: () => Promise<void>

beforeAll(async () => {
  ;({ client, close } = await startTestStore())
})
afterAll(() => close())

test.each([500, 5_000, 100_000_000])(
  'newest values are read completely and once, with %d readings per statement',
  async (rowsAtOnce) => {
    await client.command({ query: 'TRUNCATE TABLE readings' })
    // Two parts with overlapping blocks, and the lowest and highest possible id.
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
    const found = new Map<number, number[]>()
    const take = ({ deviceId, values }: LatestUpdate): void => {
      found.set(deviceId, [...(found.get(deviceId) ?? []), ...values.map(({ value }) => value)])
    }
    await readLatest(client, { since: 0 }, take, rowsAtOnce)
    expect(found.size).toBe(20_003)
    expect(new Set([...found.values()].map((values) => values.join()))).toEqual(new Set(['2']))
  },
)

test('readings older than the requested ones add no statements to a start', async () => {
  await client.command({ query: 'TRUNCATE TABLE readings' })
  const insert = (month: string, first: number) =>
    client.command({
      query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
        SELECT number + ${first}, 12, toDateTime64('${month}-20 00:00:00', 3, 'UTC'), 1, 0, now64(3), 1, 1, number, 1, 1
        FROM numbers(30000)`,
    })
  async function start() {
    const { counting, found: queries } = countQueries(client, 'argMax')
    const found: number[] = []
    const since = Date.UTC(2026, 10, 18)
    await readLatest(counting, { since }, ({ deviceId }) => found.push(deviceId), 10_000)
    return { statements: queries.count, found: found.toSorted((a, b) => a - b) }
  }
  await insert('2026-11', 1_000_000)
  const before = await start()
  expect(before).toMatchObject({ statements: 3, found: { length: 30_000 } })
  // Readings of other devices: their ids would shift the ranges.
  for (const month of ['2025-11', '2026-09', '2026-10']) await insert(month, 1)
  expect(await start()).toEqual(before)
})
