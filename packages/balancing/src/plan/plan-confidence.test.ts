import { weightedDeviation } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { forecastStep } from './plan-confidence.ts'
import { planStep } from './plan-step.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 24
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const plan = (seed: number) => {
  const station = createSampleStation(COUNT, seed)
  const order = firstStep(station)
  return { station, order, step: planStep(order) }
}

test('results are farther apart than the plan expects, and stay within the 90 % limit', () => {
  let below = 0
  let inside = 0
  for (const seed of SEEDS) {
    const { station, order, step } = plan(seed)
    const { areaM2 } = station.records
    const spread = (returnC: Float64Array): number => weightedDeviation(returnC, areaM2) ?? Number.NaN
    const forecast = forecastStep(order, step)
    const after = station.readAt(step.plan.openings)
    const [median, worst] = [forecast.medianSigmaReturnK ?? 0, forecast.worstSigmaReturnK ?? 0]
    expect(median).toBeGreaterThan(spread(step.expected.returnC))
    expect(worst).toBeGreaterThan(median)
    // The limit is still useful: a third of the spread before the step.
    expect(worst).toBeLessThan(0.35 * spread(order.readings.returnC))
    if (spread(after.returnC) <= worst) below++
    after.returnC.forEach((value, i) => {
      if (value >= (forecast.returnLowC[i] ?? 0) && value <= (forecast.returnHighC[i] ?? 0)) inside++
    })
  }
  expect(below).toBeGreaterThanOrEqual(9)
  expect(inside / (SEEDS.length * COUNT)).toBeGreaterThan(0.7)
})

test('the same plan has the same forecast, and other seeds give nearly the same', () => {
  const { order, step } = plan(1)
  const first = forecastStep(order, step)
  expect(forecastStep(order, step)).toEqual(first)
  const other = forecastStep(order, step, { seed: 2 })
  expect(other.worstSigmaReturnK).not.toBe(first.worstSigmaReturnK)
  expect(Math.abs((other.worstSigmaReturnK ?? 0) / (first.worstSigmaReturnK ?? 1) - 1)).toBeLessThan(0.25)
})

test('a loop with two snapshots at different openings is known better than one with a single snapshot', () => {
  const { station, order, step } = plan(2)
  const readings = station.readAt(step.plan.openings)
  const again = { ...order, readings, openings: step.plan.openings }
  const unmoved = { ...step, plan: { ...step.plan, openings: order.openings } }
  const back = (memory: typeof step.memory) => {
    const { snapshots } = memory
    const last = {
      headPa: readings.headPa,
      flowKgS: [...readings.meterKgS],
      openings: [...step.plan.openings],
    }
    return { ...unmoved, flowKgS: readings.meterKgS, memory: { ...memory, snapshots: [...snapshots, last] } }
  }
  const once = forecastStep(again, back({ ...step.memory, snapshots: [] }))
  const twice = forecastStep(again, back(step.memory))
  const width = ({ flowLowKgS, flowHighKgS }: typeof once): number =>
    flowHighKgS.reduce((sum, high, i) => sum + high / (flowLowKgS[i] ?? 1) - 1, 0) / COUNT
  expect(width(twice)).toBeLessThan(0.7 * width(once))
})

test('a consumer without a thermometer has no range, and only the counted ones are in the spread', () => {
  const { order, step } = plan(3)
  const returnC = order.readings.returnC.map((value, i) => (i === 5 ? Number.NaN : value))
  const forecast = forecastStep({ ...order, readings: { ...order.readings, returnC } }, step)
  expect(forecast.returnLowC[5]).toBeNaN()
  expect(forecast.flowLowKgS[5]).toBeGreaterThan(0)
  expect(forecast.returnHighC.filter((value) => Number.isNaN(value))).toHaveLength(1)
  const one = Uint8Array.from({ length: COUNT }, (_, i) => (i === 7 ? 1 : 0))
  expect(forecastStep(order, step, { counts: one }).worstSigmaReturnK).toBeCloseTo(0, 9)
  const nobody = forecastStep(order, step, { counts: new Uint8Array(COUNT) })
  expect(nobody.worstSigmaReturnK).toBeUndefined()
  expect(nobody.worstWithinOneK).toBeUndefined()
})

test('a consumer with a lower target return does not count as farther from the others', () => {
  const { order, step } = plan(5)
  const offsetK = Float64Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? -1 : 0))
  const floors = { ...order, goal: { kind: 'temperature', target: 'return', offsetK } as const }
  const aimed = planStep(floors)
  const [withOffsets, withoutOffsets] = [
    forecastStep(floors, aimed, { offsetK }),
    forecastStep(floors, aimed),
  ]
  const alike = forecastStep(order, step)
  expect(withOffsets.worstSigmaReturnK).toBeLessThan(1.25 * (alike.worstSigmaReturnK ?? 0))
  expect(withOffsets.worstWithinOneK).toBeGreaterThanOrEqual(withoutOffsets.worstWithinOneK ?? 1)
  expect(withoutOffsets.worstSigmaReturnK).toBeGreaterThan(0.45)
})

test('in the 90 % limit rooms are no warmer than the plan expects, and those below 18 °C are counted in each sample', () => {
  const { order, step } = plan(4)
  const rooms = [...step.before.roomC].map((roomC, consumer) => ({ consumer, roomC }))
  expect(rooms.every(({ roomC }) => roomC > 10 && roomC < 30)).toBe(true)
  const { roomLowC, worstUnder18 } = forecastStep(order, step, { rooms })
  roomLowC.forEach((low, i) => {
    const expected = step.expected.roomC[i] ?? Number.NaN
    expect(low).toBeLessThanOrEqual(expected)
    expect(expected - low).toBeLessThan(2)
  })
  expect(roomLowC.some((low, i) => low < (step.expected.roomC[i] ?? 0) - 0.02)).toBe(true)
  const under = (shift: number) => {
    const shifted = rooms.map((room) => ({ ...room, roomC: room.roomC + shift }))
    return forecastStep(order, step, { rooms: shifted }).worstUnder18
  }
  expect(worstUnder18).toBeGreaterThanOrEqual(0)
  expect([under(-15), under(15)]).toEqual([1, 0])
  expect(forecastStep(order, step).worstUnder18).toBeUndefined()
})

test('in the 90 % limit no fewer rooms are below 18 °C than the plan expects', () => {
  const { order, step } = plan(4)
  const rooms = [...step.before.roomC].map((beforeC, consumer) => ({
    consumer,
    roomC: 17.99 - ((step.expected.roomC[consumer] ?? Number.NaN) - beforeC),
  }))
  expect(forecastStep(order, step, { rooms }).worstUnder18).toBe(1)
})

test('without measured rooms there is no forecast of rooms', () => {
  const { order, step } = plan(5)
  const roomC = order.readings.roomC.map(() => Number.NaN)
  const blind = { ...order, readings: { ...order.readings, roomC } }
  const forecast = forecastStep(blind, planStep(blind), { rooms: [] })
  expect([...forecast.roomLowC].every(Number.isNaN)).toBe(true)
  expect(step.before.roomC.length).toBe(COUNT)
})
