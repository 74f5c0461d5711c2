import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { countRollupRows, type RollupBuild } from './rollup-queries.ch.ts'
import { createTestRollups, dropRollups, type TestReading, ZONE } from './rollups.testkit.ts'

const ROOM = 12
const DEVICES = 40
const ROWS_AT_ONCE = 10_000
/** The month before the test clock's, and a midnight of the plant in it. */
const MONTH = Date.UTC(2026, 9, 1)
const OLD_DAY = Date.UTC(2026, 9, 7, 16)

let store: Awaited<ReturnType<typeof createTestRollups>>

beforeAll(async () => {
  store = await createTestRollups({ rowsAtOnce: ROWS_AT_ONCE })
})
afterAll(() => store.close())

beforeEach(async () => {
  await store.client.command({ query: 'TRUNCATE TABLE readings' })
  await dropRollups(store.client)
})

/** Hourly readings of all devices over some days, merged by the engine, and their rollups. */
async function buildMonths(days = 52): Promise<void> {
  await store.client.command({
    query: `INSERT INTO readings (device, metric, ts, value, stored)
      SELECT 1 + number % ${DEVICES}, ${ROOM}, fromUnixTimestamp64Milli(${MONTH} + intDiv(number, ${DEVICES}) * ${HOUR_MS}), 20,
        toDateTime('2026-10-01 00:00:00', 'UTC') FROM numbers(${DEVICES * 24 * days})`,
  })
  await store.client.command({ query: 'OPTIMIZE TABLE readings FINAL' })
  await store.rollups().pass()
}

const lateOfAll = (at: number): TestReading[] =>
  Array.from({ length: DEVICES }, (_, index) => [index + 1, ROOM, at, 30])

/** Stores readings of hours that are already built; returns the statements of the next pass. */
async function passLate(readings: readonly TestReading[]) {
  const built: (RollupBuild & { readonly rows: number })[] = []
  const watched = async (build: RollupBuild) => {
    built.push({ ...build, rows: await countRollupRows(store.client, ZONE, build) })
    await store.buildRun(build)
  }
  await store.insert(readings)
  await store.rollups(watched).pass()
  return built
}

const counts = z.tuple([z.coerce.number(), z.coerce.number()])
const countCorrected = (table: string, highest: number) =>
  store.select(counts, `SELECT count(), uniq(device) FROM ${table} FINAL WHERE max_value = ${highest}`)

test('a few late readings cause one short statement for hours and one for days, however scattered they are', async () => {
  await buildMonths()
  const built = await passLate([
    [3, ROOM, OLD_DAY + 900_000, 30],
    [3, ROOM, OLD_DAY + 20 * 24 * HOUR_MS, 30],
  ])
  expect(built.map(({ level }) => level)).toEqual(['hours', 'days'])
  for (const { rows } of built) expect(rows).toBeLessThan(DEVICES * 24 * 31)
  expect(await countCorrected('readings_hour', 30)).toEqual([[2, 1]])
  expect(await countCorrected('readings_day', 30)).toEqual([[2, 1]])
})

test('many late readings cause statements limited by the rows they read', async () => {
  await buildMonths()
  const built = await passLate([...lateOfAll(OLD_DAY + 900_000), [1, ROOM, OLD_DAY + 20 * 24 * HOUR_MS, 30]])
  const hours = built.filter(({ level }) => level === 'hours')
  // 41 are late, so the engine reads the month of all devices: some 30,000 rows, and once for both days.
  expect(hours.length).toBeGreaterThanOrEqual(2)
  for (const { rows } of hours) {
    // The engine reads whole blocks of 8,192 rows at both ends of a run.
    expect(rows).toBeLessThanOrEqual(ROWS_AT_ONCE + 2 * 8_192)
    expect(rows).toBeLessThan(DEVICES * 24 * 31)
  }
  expect(await countCorrected('readings_hour', 30)).toEqual([[DEVICES + 1, DEVICES]])
  expect(await countCorrected('readings_day', 30)).toEqual([[DEVICES + 1, DEVICES]])
})

test('an old late reading of one device beside late ones of all is processed by itself', async () => {
  await buildMonths(48)
  const hour = store.clock.now() - 2 * HOUR_MS
  const old = hour - 4 * 24 * HOUR_MS
  const built = await passLate([...lateOfAll(hour), [1, ROOM, old, 30]])
  const hours = built.filter(({ level }) => level === 'hours')
  // The old one reads a block of 8,192 rows. Together they would read the month of all devices.
  for (const { rows } of hours) expect(rows).toBeLessThan(9_000)
  expect(hours).toHaveLength(2)
  expect(await countCorrected('readings_hour', 30)).toEqual([[DEVICES + 1, DEVICES]])
})

test('late readings of a whole day that is stored by device are read once', async () => {
  await buildMonths()
  const noon = store.clock.now()
  const lateHours = Array.from({ length: 24 }, (_, index) => noon - (index + 2) * HOUR_MS + 900_000)
  const built = await passLate(lateHours.flatMap(lateOfAll))
  const hours = built.filter(({ level }) => level === 'hours')
  const read = hours.reduce((sum, { rows }) => sum + rows, 0)
  const [[stored] = []] = await store.select(counts, 'SELECT count(), 0 FROM readings')
  // Runs that meet in a block of 8,192 rows both read it.
  expect(read).toBeLessThan(2 * (stored ?? 0))
  expect(await countCorrected('readings_hour', 30)).toEqual([[24 * DEVICES, DEVICES]])
})
