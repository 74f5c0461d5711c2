import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { StoredRun } from './messages/message-key.ts'
import { PART_OF_MESSAGE } from './messages/row-binary.ts'
import { readStoredFrames } from './raw/raw-store.ch.ts'
import { countQueries, startTestStore } from './store/store.testkit.ts'
import { readStored } from './store/stored-runs.ch.ts'

let client: ClickHouseClient
let close: () => Promise<void>

beforeAll(async () => {
  ;({ client, close } = await startTestStore())
})
afterAll(() => close())
beforeEach(() => client.command({ query: 'TRUNCATE TABLE readings' }))

const ARRIVED = Date.UTC(2026, 10, 20)

/** Stores rows of messages as [device, node, boot, seq, months, ts]. Rows with the same device and instant are one. */
const store = (rows: readonly (readonly [number, number, number, number, number, string])[]) =>
  client.insert({
    table: 'readings',
    values: rows.map(([device, node, boot, seq, months, ts]) => ({
      device,
      node,
      boot,
      seq,
      months,
      ts,
      metric: 12,
      value: 20,
      quality: 0,
      live: 1,
      received: ARRIVED,
    })),
    format: 'JSONEachRow',
  })

async function read(since: number, rowsAtOnce?: number): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = []
  await readStored(client, since, (run) => runs.push(run), { rowsAtOnce })
  return runs
}

test('numbers of a boot are read as runs, in the order of boots', async () => {
  const at = '2026-11-20 00:00:00'
  await store([0, 1, 2, 7, 9, 4_294_967_295].map((seq, device) => [device, 5, 2, seq, 1, at] as const))
  await store([[9, 5, 1, 3, 1, at]])
  expect(await read(ARRIVED)).toEqual([
    { gatewayId: 5, boot: 1, from: 3, to: 3 },
    { gatewayId: 5, boot: 2, from: 0, to: 2 },
    { gatewayId: 5, boot: 2, from: 7, to: 7 },
    { gatewayId: 5, boot: 2, from: 9, to: 9 },
    { gatewayId: 5, boot: 2, from: 4_294_967_295, to: 4_294_967_295 },
  ])
  expect(await read(ARRIVED + 1)).toEqual([])
})

test('a message of several months is read once all of them are stored, a part of a message never', async () => {
  const [october, november] = ['2026-10-31 23:59:00', '2026-11-01 00:01:00']
  await store([
    [1, 1, 1, 4, 2, october],
    [1, 1, 1, 5, 2, october],
    [1, 1, 1, 5, 2, november],
    [2, 1, 1, 6, PART_OF_MESSAGE, november],
  ])
  expect(await read(ARRIVED)).toEqual([{ gatewayId: 1, boot: 1, from: 5, to: 5 }])
})

test.each([500, 5_000, 500_000_000])(
  'all messages of gateways with scattered device ids are read, with %d readings per statement',
  async (rowsAtOnce) => {
    const values = `SELECT number * 97 % 40000 AS device, 12,
      toDateTime64('2026-11-20 00:00:00', 3, 'UTC') + intDiv(number, 20) AS ts, 1, 0, fromUnixTimestamp64Milli(${ARRIVED}),
      number % 20, 1 + (number % 40 >= 20), intDiv(number, 40), 1, 1 FROM numbers(40000)`
    await client.command({
      query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live) ${values}`,
    })
    const found = new Set<string>()
    let before = ''
    for (const { gatewayId, boot, from, to } of await read(ARRIVED, rowsAtOnce)) {
      for (let seq = from; seq <= to; seq += 1) found.add(`${gatewayId} ${boot} ${seq}`)
      const place = [gatewayId, boot].map((part) => String(part).padStart(5)).join()
      expect(place >= before).toBe(true)
      before = place
    }
    expect(found.size).toBe(40_000)
  },
)

test('old back-fill is read in ranges too', async () => {
  await client.command({
    query: `INSERT INTO readings (device, metric, ts, value, quality, received, node, boot, seq, months, live)
      SELECT number, 12, toDateTime64('2025-01-20 00:00:00', 3, 'UTC'), 1, 0, fromUnixTimestamp64Milli(${ARRIVED}),
      1, 1, number, 1, 0 FROM numbers(40000)`,
  })
  const { counting, found } = countQueries(client, 'device <=')
  const runs: StoredRun[] = []
  await readStored(counting, ARRIVED, (run) => runs.push(run), { rowsAtOnce: 10_000 })
  expect(found.count).toBe(4)
  // Runs of adjacent ranges are merged.
  expect(runs).toEqual([{ gatewayId: 1, boot: 1, from: 0, to: 39_999 }])
})

test('frames are read as runs too', async () => {
  const frame = { ts: 1, part: 0, device: 1, sent: 0, received: ARRIVED, named: '', bytes: 'x' }
  const values = [3, 1, 2].map((seq) => ({ ...frame, node: 1, boot: 1, seq }))
  await client.insert({ table: 'raw_frames', values, format: 'JSONEachRow' })
  const runs: StoredRun[] = []
  await readStoredFrames(client, ARRIVED, (run) => runs.push(run))
  expect(runs).toEqual([{ gatewayId: 1, boot: 1, from: 1, to: 3 }])
})
