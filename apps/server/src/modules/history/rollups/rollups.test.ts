import { HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { RollupBuild } from './rollup-queries.ch.ts'
import type { RollupRun } from './rollup-types.ts'
import { createTestRollups, dropRollups, type TestReading } from './rollups.testkit.ts'

const ROOM = 12
const ENERGY = 1
/** Midnight in the time zone of the plant, a day and a half before the noon of the test clock. */
const DAY = Date.UTC(2026, 10, 19, 16)

let store: Awaited<ReturnType<typeof createTestRollups>>

beforeAll(async () => {
  // So few rows that a part of two devices is built in two runs.
  store = await createTestRollups({ rowsAtOnce: 10 })
})
afterAll(() => store.close())

beforeEach(async () => {
  await store.client.command({ query: 'TRUNCATE TABLE readings' })
  await dropRollups(store.client)
})

const summary = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])
const SUMMARY = 'total, good, round(sum_value, 6), min_value, max_value, first_value, last_value'

const hourRow = z.tuple([z.string(), ...summary.def.items])
const readHours = (device = 1, metric = ROOM) =>
  store.select(
    hourRow,
    `SELECT toString(hour), ${SUMMARY} FROM readings_hour FINAL WHERE device = ${device} AND metric = ${metric} ORDER BY hour`,
  )
const readDays = (device = 1, metric = ROOM) =>
  store.select(
    hourRow,
    `SELECT toString(day), ${SUMMARY} FROM readings_day FINAL WHERE device = ${device} AND metric = ${metric} ORDER BY day`,
  )

/** Readings every quarter of an hour from an instant on. */
const quarters = (from: number, values: readonly number[], device = 1, metric = ROOM): TestReading[] =>
  values.map((value, index) => [device, metric, from + index * 900_000, value])

test('past hours and days are built, others wait', async () => {
  const rollups = store.rollups()
  await store.insert([
    ...quarters(DAY + 34 * HOUR_MS, [20, 22, 21, 19]),
    ...quarters(DAY + 36 * HOUR_MS, [5]),
  ])
  await rollups.pass()
  expect(await readHours()).toEqual([['2026-11-21 02:00:00', 4, 4, 82, 19, 22, 20, 19]])
  expect(await readDays()).toEqual([])
  expect(rollups.closedMs()).toBe(DAY + 35 * HOUR_MS)
  // The last readings of the day arrived long before its end.
  store.clock.advance(13 * HOUR_MS)
  await rollups.pass()
  store.clock.advance(-13 * HOUR_MS)
  expect(await readDays()).toEqual([['2026-11-21', 5, 5, 87, 5, 22, 20, 5]])
})

test('a day is a calendar day of the plant, and its rollup sums its hours', async () => {
  await store.insert([
    ...quarters(DAY - HOUR_MS, [10, 11, 12, 13]),
    ...quarters(DAY, [20, 21, 22, 23]),
    ...quarters(DAY + 5 * HOUR_MS, [30, 31, 18, 25]),
  ])
  await store.rollups().pass()
  expect(await readDays()).toEqual([
    ['2026-11-19', 4, 4, 46, 10, 13, 10, 13],
    ['2026-11-20', 8, 8, 190, 18, 31, 20, 25],
  ])
})

test('a reading that is stored again counts once, whenever that happens', async () => {
  const rollups = store.rollups()
  const readings = quarters(DAY + HOUR_MS, [20, 22, 21, 19])
  await store.insert(readings)
  await store.insert(readings)
  await rollups.pass()
  await store.insert(readings)
  await rollups.pass()
  expect(await readHours()).toEqual([['2026-11-19 17:00:00', 4, 4, 82, 19, 22, 20, 19]])
  expect(await readDays()).toEqual([['2026-11-20', 4, 4, 82, 19, 22, 20, 19]])
})

test('back-fill of a built hour and day corrects both, and no other device', async () => {
  const rollups = store.rollups()
  await store.insert([...quarters(DAY, [20, 20]), ...quarters(DAY, [20, 20], 2)])
  await rollups.pass()
  await store.insert([...quarters(DAY + 1_800_000, [26, 26]), ...quarters(DAY - 3 * HOUR_MS, [7])])
  await rollups.pass()
  expect(await readHours()).toEqual([
    ['2026-11-19 13:00:00', 1, 1, 7, 7, 7, 7, 7],
    ['2026-11-19 16:00:00', 4, 4, 92, 20, 26, 20, 26],
  ])
  expect(await readDays()).toEqual([
    ['2026-11-19', 1, 1, 7, 7, 7, 7, 7],
    ['2026-11-20', 4, 4, 92, 20, 26, 20, 26],
  ])
  expect(await readDays(2)).toEqual([['2026-11-20', 2, 2, 40, 20, 20, 20, 20]])
})

test('a corrected value replaces the wrong one, also if that was the extreme', async () => {
  const rollups = store.rollups()
  await store.insert(quarters(DAY, [20, 99, 21]))
  await rollups.pass()
  await store.insert([[1, ROOM, DAY + 900_000, 22]], store.clock.now() + 1_000)
  await rollups.pass()
  expect(await readHours()).toEqual([['2026-11-19 16:00:00', 3, 3, 63, 20, 22, 20, 21]])
  expect(await readDays()).toEqual([['2026-11-20', 3, 3, 63, 20, 22, 20, 21]])
})

test('doubtful values are counted but not part of sums and extremes; other bits do not exclude a value', async () => {
  await store.insert([
    [1, ROOM, DAY, 20],
    [1, ROOM, DAY + 900_000, 200, 4],
    [1, ROOM, DAY + 1_800_000, -40, 2],
    [1, ROOM, DAY + 2_700_000, 22, 16],
    [1, ROOM, DAY + 2 * HOUR_MS, 150, 8],
  ])
  await store.rollups().pass()
  expect(await readHours()).toEqual([
    ['2026-11-19 16:00:00', 4, 2, 42, 20, 22, 20, 22],
    ['2026-11-19 18:00:00', 1, 0, 0, 0, 0, 0, 0],
  ])
  expect(await readDays()).toEqual([['2026-11-20', 5, 2, 42, 20, 22, 20, 22]])
})

test('of a counter the first and last value of each day are stored, which give its increase', async () => {
  await store.insert([
    ...quarters(DAY - HOUR_MS, [1_000, 1_001, 1_002, 1_003], 1, ENERGY),
    ...quarters(DAY + HOUR_MS, [1_010, 1_012, 1_013, 1_015], 1, ENERGY),
  ])
  await store.rollups().pass()
  const days = await readDays(1, ENERGY)
  expect(days.map(([day, , , , , , first, last]) => [day, first, last])).toEqual([
    ['2026-11-19', 1_000, 1_003],
    ['2026-11-20', 1_010, 1_015],
  ])
})

test('a pass that is interrupted anywhere is completed by the next one, of any process', async () => {
  await store.insert([
    ...quarters(Date.UTC(2026, 8, 1), [1, 2]),
    ...quarters(Date.UTC(2026, 9, 1), [3, 4], 9),
    ...quarters(DAY, [5, 6], 4),
  ])
  for (let failAt = 1; failAt <= 3; failAt += 1) {
    let calls = 0
    const failing = store.rollups(async (build) => {
      if (build.level === 'hours') calls += 1
      if (calls === failAt) throw new Error('the store is away')
      await store.buildRun(build)
    })
    await expect(failing.pass()).rejects.toThrow('away')
    await dropRollups(store.client)
  }
  let built = 0
  const second = store.rollups(async (build) => {
    if (build.level === 'hours') built += 1
    if (built === 2) throw new Error('the store is away')
    await store.buildRun(build)
  })
  await expect(second.pass()).rejects.toThrow('away')
  await store.insert(quarters(Date.UTC(2026, 8, 1) + 1_800_000, [3]))
  await store.rollups().pass()
  expect(await readDays(1)).toEqual([['2026-09-01', 3, 3, 6, 1, 3, 1, 3]])
  expect(await readDays(9)).toEqual([['2026-10-01', 2, 2, 7, 3, 4, 3, 4]])
  expect(await readDays(4)).toEqual([['2026-11-20', 2, 2, 11, 5, 6, 5, 6]])
})

test.each(['hours', 'days'] as const)(
  'a month in which one statement for %s fails is continued by the next pass, of any process',
  async (failingLevel) => {
    const devices = [1, 2, 3, 4, 5, 6, 7, 8]
    const month = (device: number) => quarters(DAY - 24 * HOUR_MS, [10, 20, 30, 40], device)
    await store.insert(devices.flatMap(month))
    const done: RollupRun[] = []
    let left = 3
    const failing = async (build: RollupBuild) => {
      if (build.level === failingLevel && --left === 0) throw new Error('the store is away')
      await store.buildRun(build)
      if (build.level === 'hours' && build.storedSinceS === undefined) done.push(build.run)
    }
    await expect(store.rollups(failing).pass()).rejects.toThrow('away')
    const before = done.splice(0).slice(0, 2)
    const last = before.at(-1)?.lastDevice ?? 0
    expect(before).toHaveLength(2)
    expect(last).toBeLessThan(8)
    // A reading that arrives meanwhile, of a device that is already built, is late.
    await store.insert([[1, ROOM, DAY - 23 * HOUR_MS - 600_000, 50]])
    await store.rollups(failing).pass()
    expect(done[0]?.firstDevice).toBe(last + 1)
    for (const device of [2, 5, 8]) {
      expect(await readHours(device)).toEqual([['2026-11-18 16:00:00', 4, 4, 100, 10, 40, 10, 40]])
      expect(await readDays(device)).toEqual([['2026-11-19', 4, 4, 100, 10, 40, 10, 40]])
    }
    await store.rollups(failing).pass()
    expect(await readDays(1)).toEqual([['2026-11-19', 5, 5, 150, 10, 50, 10, 50]])
  },
)

test('a server with another time zone builds nothing while the first one works, and keeps its hours later', async () => {
  await store.insert([
    ...quarters(DAY - 7 * HOUR_MS, [10, 11, 12, 13]),
    ...quarters(DAY, [20, 21, 22, 23]),
    ...quarters(DAY + 7 * HOUR_MS, [5, 5, 5, 5]),
  ])
  await store.rollups().pass()
  const [hours, days] = [await readHours(), await readDays()]
  const berlin = store.rollupsIn('Europe/Berlin')
  await expect(berlin.pass()).rejects.toThrow('the stores have days of Asia/Shanghai')
  expect([await readHours(), await readDays()]).toEqual([hours, days])
  await store.client.command({ query: 'TRUNCATE TABLE rollup_marks' })
  await store.client.command({
    query: `INSERT INTO rollup_marks (zone, closed, stored, written) SELECT 'Asia/Shanghai', now(), now(), now() - 3660`,
  })
  // Nobody can build the hours anew: their readings are gone.
  await store.client.command({ query: 'TRUNCATE TABLE readings' })
  await berlin.pass()
  expect(await readHours()).toEqual(hours)
  expect(await readDays()).toEqual([])
  await expect(store.rollups().pass()).rejects.toThrow('the stores have days of Europe/Berlin')
  // As if both had started on empty stores at the same moment.
  await store.client.command({
    query: `INSERT INTO rollup_marks (zone, closed, stored) SELECT 'Asia/Shanghai', now(), now()`,
  })
  await expect(berlin.pass()).rejects.toThrow('the stores have days of Asia/Shanghai')
  await store.rollups().pass()
})

test('two servers that pass at the same time build the same rollups as one', async () => {
  await store.insert([...quarters(DAY, [20, 22, 21]), ...quarters(DAY + HOUR_MS, [5, 6], 2)])
  await Promise.all([store.rollups().pass(), store.rollups().pass()])
  await store.insert(quarters(DAY + 2_700_000, [25]))
  await Promise.all([store.rollups().pass(), store.rollups().pass()])
  expect(await readDays(1)).toEqual([['2026-11-20', 4, 4, 88, 20, 25, 20, 25]])
  expect(await readDays(2)).toEqual([['2026-11-20', 2, 2, 11, 5, 6, 5, 6]])
})

test('for any readings in any order, the rollups equal those computed from the stored readings', async () => {
  const reading = fc.record({
    device: fc.integer({ min: 1, max: 3 }),
    slot: fc.integer({ min: 0, max: 230 }),
    value: fc.integer({ min: -50, max: 150 }),
    quality: fc.constantFrom(0, 0, 0, 1, 4, 8, 16),
  })
  const batches = fc.array(fc.array(reading, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(batches, async (given) => {
      await store.client.command({ query: 'TRUNCATE TABLE readings' })
      await dropRollups(store.client)
      const rollups = store.rollups()
      for (const [index, batch] of given.entries()) {
        const rows = batch.map(
          ({ device, slot, value, quality }): TestReading => [
            device,
            ROOM,
            DAY - 20 * HOUR_MS + slot * 900_000,
            value,
            quality,
          ],
        )
        // A message has one value per instant.
        const once = [...new Map(rows.map((row) => [`${row[0]}:${row[2]}`, row])).values()]
        await store.insert(once, store.clock.now() + index * 1_000)
        await rollups.pass()
      }
      for (const [table, bucket, hours] of [
        ['readings_hour', 'hour', 35],
        ['readings_day', 'day', 24],
      ] as const) {
        const expression =
          bucket === 'hour' ? 'toStartOfHour(ts)' : "toDate(toStartOfHour(ts), 'Asia/Shanghai')"
        const expected = await store.select(
          z.array(z.unknown()),
          `SELECT device, toString(${expression}) AS b, count(), countIf(bitAnd(quality, 14) = 0), sumIf(value, bitAnd(quality, 14) = 0)
           FROM readings FINAL WHERE ts < toDateTime(${DAY / 1000 + hours * 3_600}, 'UTC') GROUP BY device, b ORDER BY device, b`,
        )
        const built = await store.select(
          z.array(z.unknown()),
          `SELECT device, toString(${bucket}) AS b, toUInt64(total), toUInt64(good), sum_value FROM ${table} FINAL ORDER BY device, b`,
        )
        expect(built).toEqual(expected)
      }
    }),
    { numRuns: 5 },
  )
}, 60_000)
