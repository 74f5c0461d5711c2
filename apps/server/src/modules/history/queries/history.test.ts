import { bucketColumn } from '@isotherm/contract/endpoints/monitoring/history'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLocalDays } from '../calendar/local-days.ts'
import { createTestRollups, dropRollups, type TestReading, ZONE } from '../rollups/rollups.testkit.ts'
import type { Rollups } from '../rollups/rollups.ts'
import { readBuckets } from './buckets.ch.ts'
import { readCurves } from './curves.ch.ts'
import type { BucketQuery, HistoryQuery, SpreadQuery } from './history-queries.ts'
import { createRows } from './rows.ch.ts'
import { readSpread } from './spread.ch.ts'

const ROOM = 12
const ENERGY = 1
/** Midnight in the time zone of the plant before the noon of the test clock. */
const TODAY = Date.UTC(2026, 10, 20, 16)

let field: Awaited<ReturnType<typeof createTestRollups>>
let rollups: Rollups

beforeAll(async () => {
  field = await createTestRollups()
})
afterAll(() => field.close())

beforeEach(async () => {
  await field.client.command({ query: 'TRUNCATE TABLE readings' })
  await dropRollups(field.client)
  rollups = field.rollups()
})

const days = createLocalDays(ZONE)
const calendar = { zone: ZONE, season: { first: { month: 11, day: 15 }, last: { month: 3, day: 15 } } }
const history = {
  readCurves: (query: HistoryQuery) => readCurves(createRows(field.client), query, rollups.closedMs(), days),
  readBuckets: (query: BucketQuery) =>
    readBuckets(createRows(field.client), query, rollups.closedMs(), days, calendar),
  readSpread: (query: SpreadQuery) => readSpread(createRows(field.client), query, days, calendar),
}

/** A reading every quarter of an hour in the last `days` days before the noon of the test clock. */
function toDays(days: number, toValue: (ts: number) => number, device = 1, metric = ROOM): TestReading[] {
  const from = TODAY - days * DAY_MS
  const count = Math.floor((field.clock.now() - from) / 900_000)
  return Array.from({ length: count }, (_, index) => {
    const ts = from + index * 900_000
    return [device, metric, ts, toValue(ts)]
  })
}

const read = (from: number, to: number, maxPoints: number, deviceIds = [1]) =>
  history.readCurves({ deviceIds, metricIds: [ROOM], from, to, maxPoints })

test('a curve with close points is read from readings, one with distant points from hours or days', async () => {
  await field.insert(toDays(60, (ts) => 20 + Math.sin(ts / DAY_MS)))
  await rollups.pass()
  const to = field.clock.now()
  const levels = await Promise.all(
    [10, 60, 3_000].map(async (maxPoints) => (await read(TODAY - 59 * DAY_MS, to, maxPoints))[0]?.level),
  )
  expect(levels).toEqual(['day', 'day', 'raw'])
  expect((await read(TODAY - 20 * DAY_MS, to, 100))[0]?.level).toBe('hour')
})

test('extremes and their instants are the same from readings and from rollups', async () => {
  const at = TODAY - 9 * DAY_MS + 7 * HOUR_MS
  const low = TODAY - 4 * DAY_MS + 900_000
  await field.insert(toDays(20, (ts) => (ts === at ? 45 : ts === low ? -9 : 20 + Math.sin(ts))))
  const query = { from: TODAY - 19.4 * DAY_MS, to: field.clock.now() - 1_234_567 }
  const raw = await read(query.from, query.to, 40)
  await rollups.pass()
  const hours = await read(query.from, query.to, 40)
  const days = await read(query.from, query.to, 20)
  expect([raw[0]?.level, hours[0]?.level, days[0]?.level]).toEqual(['raw', 'hour', 'day'])
  expect(hours[0]?.points).toEqual(raw[0]?.points)
  for (const [curve] of [hours, days]) {
    expect(curve?.points).toContainEqual([at, 45, 0])
    expect(curve?.points).toContainEqual([low, -9, 0])
  }
})

test('a curve of days includes readings after the last built hour, and before its first midnight', async () => {
  const edge = TODAY - 39 * DAY_MS - HOUR_MS
  const now = field.clock.now()
  await field.insert([...toDays(40, () => 20), [1, ROOM, edge, 55], [1, ROOM, now - MINUTE_MS, 60]])
  await rollups.pass()
  const [curve] = await read(edge, now, 40)
  expect(curve?.level).toBe('day')
  expect(curve?.points[0]).toEqual([edge, 55, 0])
  expect(curve?.points).toContainEqual([now - MINUTE_MS, 60, 0])
  const times = curve?.points.map(([ts]) => ts) ?? []
  expect(times).toEqual([...new Set(times)].toSorted((left, right) => left - right))
})

test('a curve has one entry for each device and metric, without points if there are no readings', async () => {
  await field.insert(toDays(40, () => 20))
  await rollups.pass()
  const curves = await read(TODAY - 39 * DAY_MS, TODAY, 20, [1, 7])
  expect(curves.map(({ deviceId, points }) => [deviceId, points.length > 0])).toEqual([
    [1, true],
    [7, false],
  ])
})

const buckets = (level: 'hour' | 'day' | 'month' | 'season', from: number, to: number, metricId = ROOM) =>
  history.readBuckets({
    deviceIds: [1, 2],
    metricIds: [metricId],
    level,
    columns: bucketColumn.options,
    from,
    to,
  })

test('hours include the built ones and the current one', async () => {
  await field.insert(toDays(1, (ts) => (ts % HOUR_MS) / 900_000))
  await field.insert([[1, ROOM, field.clock.now() + MINUTE_MS, 7, 4]])
  await rollups.pass()
  const [found, ...others] = await buckets('hour', TODAY + 8 * HOUR_MS, TODAY + DAY_MS)
  expect(others).toEqual([])
  expect(found).toEqual({
    deviceId: 1,
    metricId: ROOM,
    start: [8, 9, 10, 11, 12].map((hour) => TODAY + hour * HOUR_MS),
    total: [4, 4, 4, 4, 1],
    good: [4, 4, 4, 4, 0],
    avg: [1.5, 1.5, 1.5, 1.5, null],
    min: [0, 0, 0, 0, null],
    max: [3, 3, 3, 3, null],
    first: [0, 0, 0, 0, null],
    last: [3, 3, 3, 3, null],
  })
  const [closed] = await buckets('hour', TODAY + 8 * HOUR_MS, TODAY + 11 * HOUR_MS)
  expect(closed).toEqual({
    ...found,
    start: [8, 9, 10].map((hour) => TODAY + hour * HOUR_MS),
    total: [4, 4, 4],
    good: [4, 4, 4],
    avg: [1.5, 1.5, 1.5],
    min: [0, 0, 0],
    max: [3, 3, 3],
    first: [0, 0, 0],
    last: [3, 3, 3],
  })
})

test('days, months and seasons are the same before and after the rollups are built', async () => {
  await field.insert(toDays(30, (ts) => (ts - TODAY) / HOUR_MS, 2, ENERGY))
  const levels = ['day', 'month', 'season'] as const
  const [from, to] = [TODAY - 30 * DAY_MS, TODAY + DAY_MS]
  const before = await Promise.all(levels.map((level) => buckets(level, from, to, ENERGY)))
  await rollups.pass()
  const after = await Promise.all(levels.map((level) => buckets(level, from, to, ENERGY)))
  expect(after).toEqual(before)
  const starts = after.map((found) => found[0]?.start.map((ms) => new Date(ms).toISOString().slice(0, 13)))
  expect(starts[0]).toHaveLength(31)
  expect(starts[1]).toEqual(['2026-09-30T16', '2026-10-31T16'])
  expect(starts[2]).toEqual(['2026-11-14T16'])
  // From the 15th on: six days and twelve hours of quarters.
  expect(after[2]?.[0]?.total).toEqual([6 * 96 + 48])
  expect(after[2]?.[0]?.first).toEqual([-6 * 24])
})

const spread = (
  level: 'day' | 'month' | 'season',
  deviceIds: readonly number[] | undefined,
  isCounter = false,
) =>
  history.readSpread({
    deviceIds,
    level,
    isCounter,
    metricId: isCounter ? ENERGY : ROOM,
    from: TODAY - 2 * DAY_MS,
    to: TODAY,
  })

test('the spread of a metric is over the means of the requested devices, by day', async () => {
  const devices = Array.from({ length: 11 }, (_, index) => index + 1)
  await field.insert(devices.flatMap((device) => toDays(3, (ts) => device + (ts % 2 ? 0 : 10), device)))
  await field.insert(toDays(3, () => 99, 50))
  await rollups.pass()
  const day = (start: number) => ({
    start,
    devices: 11,
    mean: 16,
    min: 11,
    max: 21,
    p10: 12,
    p25: 13,
    p50: 16,
    p75: 19,
    p90: 20,
  })
  expect(await spread('day', devices)).toEqual([day(TODAY - 2 * DAY_MS), day(TODAY - DAY_MS)])
  const all = await spread('day', undefined)
  expect(all.map(({ devices: count, max }) => [count, max])).toEqual([
    [12, 99],
    [12, 99],
  ])
  expect(await spread('day', [])).toEqual([])
})

test('the spread of a counter is over the increase of each device, up to the start of the next day', async () => {
  const perHour = (rate: number) => (ts: number) => ((ts - TODAY) / HOUR_MS) * rate + 10_000
  await field.insert([
    ...toDays(3, perHour(1), 1, ENERGY),
    ...toDays(3, perHour(2), 2, ENERGY),
    // The meter was replaced by one that started at zero.
    ...toDays(3, (ts) => (ts < TODAY - DAY_MS ? 5_000 : 3), 3, ENERGY),
  ])
  await rollups.pass()
  const found = await spread('day', [1, 2, 3], true)
  expect(found.map(({ devices, min, max }) => [devices, min, max])).toEqual([
    [2, 24, 48],
    // The last requested day ends with its own last reading.
    [3, 0, 47.5],
  ])
})

test('a curve has every reading if they fit, and the extremes if they do not', async () => {
  const from = field.clock.now() - 2 * HOUR_MS
  const minutes = Array.from({ length: 100 }, (_, minute): TestReading => {
    const peak = minute === 57 ? 95 : 40 + (minute % 3)
    return [1, ROOM, from + minute * MINUTE_MS, peak]
  })
  await field.insert(minutes)
  const [whole] = await read(from, from + 99 * MINUTE_MS, 1_000)
  expect(whole).toMatchObject({ downsampled: false, level: 'raw' })
  expect(whole?.points).toHaveLength(99)
  const [thinned] = await read(from, from + 99 * MINUTE_MS, 10)
  expect(thinned?.downsampled).toBe(true)
  expect(thinned?.points.length).toBeLessThanOrEqual(10)
  expect(thinned?.points).toContainEqual([from + 57 * MINUTE_MS, 95, 0])
  const times = thinned?.points.map(([ts]) => ts)
  expect(times).toEqual(times?.toSorted((left, right) => left - right))
})
