import { metrics, quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestRollups, type TestReading } from '../../history/rollups/rollups.testkit.ts'
import { readReturns } from './trend.ch.ts'
import { toSlotMs, toTrend } from './trend.ts'

const RETURN = metrics['temp.return'].id
/** Twelve days before the hour of the test clock. */
const FROM = Date.UTC(2026, 10, 9, 4)
const TO = FROM + 12 * 24 * HOUR_MS

let field: Awaited<ReturnType<typeof createTestRollups>>

/** Two valves whose returns approach each other, with readings every half hour, and doubtful ones of the first valve. */
function readings(): TestReading[] {
  const steps = (TO - FROM) / (HOUR_MS / 2)
  return Array.from({ length: steps }, (_, step) => {
    const at = FROM + (step * HOUR_MS) / 2
    const apart = 4 * (1 - step / steps)
    return [
      [1, RETURN, at, 40 + apart],
      [2, RETURN, at, 40 - apart],
      [1, RETURN, at + 60_000, 90, quality.implausible],
    ] satisfies TestReading[]
  }).flat()
}

beforeAll(async () => {
  field = await createTestRollups()
  await field.insert(readings())
  await field.rollups().pass()
})
afterAll(() => field.close())

const valves = new Map([
  [1, { areaM2: 600, offsetK: 0 }],
  [2, { areaM2: 600, offsetK: 0 }],
])
const read = async (from: number, to: number) => {
  const slotMs = toSlotMs({ from, to })
  return toTrend(await readReturns(field.client, { deviceIds: [1, 2, 3], from, to, slotMs }), valves, {
    from,
    slotMs,
  })
}

it('reads twelve days from hourly rollups, except the last hour, which has no rollup yet', async () => {
  const { points } = await read(FROM, TO)
  expect(points.length).toBeGreaterThan(150)
  expect(points.length).toBeLessThanOrEqual(200)
  for (const { at, sigmaReturnK, meanReturnC, valves } of points) {
    expect(valves).toBe(2)
    expect(meanReturnC).toBeCloseTo(40, 6)
    const expected = 4 * (1 - (at - FROM) / (TO - FROM))
    expect(Math.abs(sigmaReturnK - expected)).toBeLessThan(0.05)
  }
  expect(points.at(-1)?.at).toBeGreaterThan(TO - 2 * HOUR_MS)
  // Without readings the rollups give all but the last hour.
  await field.client.command({ query: 'TRUNCATE TABLE readings' })
  const rolled = await read(FROM, TO)
  expect(rolled.points.length).toBeGreaterThan(150)
  await field.insert(readings())
})

it('reads a day from readings, without doubtful ones', async () => {
  const { points } = await read(FROM, FROM + 24 * HOUR_MS)
  expect(points.length).toBe(48)
  expect(points[0]).toMatchObject({ at: FROM, valves: 2, meanReturnC: 40, sigmaReturnK: 4, withinOneK: 0 })
})

it('has no points with one measured valve or none', async () => {
  expect(await read(FROM - 24 * HOUR_MS, FROM)).toEqual({ points: [] })
  const slotMs = HOUR_MS
  expect(toTrend([{ slot: 0, deviceId: 1, mean: 40 }], valves, { from: FROM, slotMs })).toEqual({
    points: [],
  })
})

it('weights valves by the floor area behind them', () => {
  const means = [
    { slot: 3, deviceId: 1, mean: 41 },
    { slot: 3, deviceId: 2, mean: 38 },
  ]
  const unequal = new Map([
    [1, { areaM2: 200, offsetK: 0 }],
    [2, { areaM2: 100, offsetK: 0 }],
  ])
  const [point] = toTrend(means, unequal, { from: FROM, slotMs: HOUR_MS }).points
  expect(point).toMatchObject({ at: FROM + 3 * HOUR_MS, meanReturnC: 40, withinOneK: 0.5 })
  expect(point?.sigmaReturnK).toBeCloseTo(Math.SQRT2, 9)
})

it('compares floors with their own target, a kelvin below that of radiators', () => {
  const means = [
    { slot: 0, deviceId: 1, mean: 39 },
    { slot: 0, deviceId: 2, mean: 38 },
  ]
  const mixed = new Map([
    [1, { areaM2: 100, offsetK: 0 }],
    [2, { areaM2: 100, offsetK: -1 }],
  ])
  const [point] = toTrend(means, mixed, { from: FROM, slotMs: HOUR_MS }).points
  expect(point).toMatchObject({ meanReturnC: 38.5, withinOneK: 1 })
  expect(point?.sigmaReturnK).toBeCloseTo(0, 9)
})

it('is complete while only some devices have hourly rollups', async () => {
  const half = await createTestRollups({ rowsAtOnce: 1_000 })
  await half.insert(readings())
  let built = 0
  const failingRollups = half.rollups(async (build) => {
    if (built === 1) throw new Error('the store is unavailable')
    built += 1
    await half.buildRun(build)
  })
  await expect(failingRollups.pass()).rejects.toThrow('unavailable')
  const query = { deviceIds: [1, 2], from: FROM, to: TO, slotMs: toSlotMs({ from: FROM, to: TO }) }
  const { points } = toTrend(await readReturns(half.client, query), valves, query)
  expect(points.length).toBeGreaterThan(150)
  for (const { valves } of points) expect(valves).toBe(2)
  await half.close()
})
