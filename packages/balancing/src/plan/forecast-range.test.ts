import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { weightedDeviation } from '@isotherm/kernel/statistics'
import { describe, expect, test } from 'vitest'
import { changeRooms, forecastInSteps, forecastStep } from './plan-confidence.ts'
import { planStep, type StepOrder } from './plan-step.ts'
import { highestOf, lowestOf } from './range-of-sets.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 24
const createPlan = (change: Partial<StepOrder> = {}) => {
  const order = { ...firstStep(createSampleStation(COUNT, 6)), ...change }
  return { order, step: planStep(order) }
}
/** A plan without moves. */
const createStill = () => createPlan({ isFixed: new Uint8Array(COUNT).fill(1) })
const CALM = { supplyK: 0, outdoorSigmaK: 0 }
const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
const widths = (low: Float64Array, high: Float64Array): Float64Array =>
  high.map((value, i) => value - (low[i] ?? Number.NaN))

test('a room changes like the mean of its consumer, and is unknown without it', () => {
  const rooms = [
    { consumer: 1, roomC: 19 },
    { consumer: 0, roomC: 17 },
    { consumer: 5, roomC: 20 },
  ]
  const changed = changeRooms(rooms, Float64Array.of(20, 21), Float64Array.of(21, 20.5))
  expect([...changed]).toEqual([19.5, 16, Number.NaN])
})

test.each([
  [24, 40],
  [101, 20],
])('a forecast of %i valves yields after each of its %i samples', (consumers, samples) => {
  const order = firstStep(createSampleStation(consumers, 4))
  const forecast = forecastInSteps(order, planStep(order))
  let count = 0
  for (let next = forecast.next(); !next.done; next = forecast.next()) count += 1
  expect(count).toBe(samples)
})

test('without a snapshot of the loop there is no range', () => {
  const { order, step } = createPlan()
  const forecast = forecastStep(order, { ...step, memory: { ...step.memory, snapshots: [] } })
  expect(forecast.medianSigmaReturnK).toBeUndefined()
  expect(forecast.worstUnder18).toBeUndefined()
  expect(forecast.returnLowC).toHaveLength(0)
})

describe('without moves', () => {
  test('in unchanged weather flows stay, and returns differ by habits only: P10 to P90 of 0.1 K are 0.26 K', () => {
    const { order, step } = createStill()
    expect(step.plan.moves).toEqual([])
    const forecast = forecastStep(order, step, { weather: CALM })
    for (const [i, width] of widths(forecast.flowLowKgS, forecast.flowHighKgS).entries())
      expect(width / (step.flowKgS[i] ?? Number.NaN)).toBeLessThan(0.01)
    const width = mean(widths(forecast.returnLowC, forecast.returnHighC))
    expect(width).toBeGreaterThan(0.22)
    expect(width).toBeLessThan(0.32)
    const middle = forecast.returnHighC.map((high, i) => (high + (forecast.returnLowC[i] ?? 0)) / 2)
    expect(Math.abs(mean(middle) - mean(order.readings.returnC))).toBeLessThan(0.05)
  })

  test('all returns shift with the weather together: their ranges widen, their spread hardly changes', () => {
    const { order, step } = createStill()
    const { areaM2 } = order.records
    const still = forecastStep(order, step, { weather: CALM })
    const shifted = forecastStep(order, step)
    const width = mean(widths(shifted.returnLowC, shifted.returnHighC))
    expect(width).toBeGreaterThan(1)
    expect(width).toBeLessThan(4)
    expect(weightedDeviation(order.readings.returnC, areaM2)).toBeGreaterThan(1)
    const [calm, windy] = [still.medianSigmaReturnK ?? 0, shifted.medianSigmaReturnK ?? 0]
    expect(Math.abs(windy / calm - 1)).toBeLessThan(0.1)
  })

  test('a change of the weather scales the spread: P10 and P90 of it are apart even if no valve moves', () => {
    const { order, step } = createStill()
    const range = ({ bestSigmaReturnK = 0, worstSigmaReturnK = 0 }: ReturnType<typeof forecastStep>) =>
      worstSigmaReturnK / bestSigmaReturnK - 1
    expect(range(forecastStep(order, step, { weather: CALM }))).toBeLessThan(0.05)
    expect(range(forecastStep(order, step))).toBeGreaterThan(0.1)
  })

  test('a supply that will be colder lowers all returns and the spread; the goal is judged without it', () => {
    const { order, step } = createStill()
    const calm = forecastStep(order, step, { weather: CALM })
    const colder = forecastStep(order, step, { weather: { supplyK: -3, outdoorSigmaK: 0 } })
    expect(mean(colder.returnLowC)).toBeLessThan(mean(calm.returnLowC) - 1)
    expect(colder.medianSigmaReturnK).toBeLessThan(0.97 * (calm.medianSigmaReturnK ?? 0))
    expect(colder.medianGoalSpread).toBe(calm.medianGoalSpread)
  })

  test('rooms stay where they are', () => {
    const { order, step } = createStill()
    const rooms = [...step.before.roomC].map((roomC, consumer) => ({
      consumer,
      roomC: consumer < 6 ? 17.5 : roomC,
    }))
    const { roomLowC, worstUnder18 } = forecastStep(order, step, { rooms })
    for (const [i, low] of roomLowC.entries())
      expect(Math.abs(low - (step.expected.roomC[i] ?? 0))).toBeLessThan(0.01)
    expect(worstUnder18).toBeCloseTo(rooms.filter(({ roomC }) => roomC < 18).length / COUNT, 9)
  })
})

test('P10, median and P90 of the spread are in order, and thermometers have errors of their own in it', () => {
  const { order, step } = createPlan()
  const { bestSigmaReturnK = 0, medianSigmaReturnK = 0, worstSigmaReturnK = 0 } = forecastStep(order, step)
  expect(bestSigmaReturnK).toBeGreaterThan(0.1)
  expect(medianSigmaReturnK).toBeGreaterThan(bestSigmaReturnK)
  expect(worstSigmaReturnK).toBeGreaterThan(medianSigmaReturnK)
  const shown = step.expected.returnC
  expect(medianSigmaReturnK).toBeGreaterThan(weightedDeviation(shown, order.records.areaM2) ?? 99)
})

describe('with moves', () => {
  test('ranges include the plan, and flows of moved valves are less certain than a stem of 0.6 % alone makes them', () => {
    const { order, step } = createPlan()
    const { returnLowC, returnHighC, flowLowKgS, flowHighKgS } = forecastStep(order, step)
    for (const [i, value] of step.expected.returnC.entries()) {
      expect(returnLowC[i]).toBeLessThanOrEqual(value)
      expect(returnHighC[i]).toBeGreaterThanOrEqual(value)
    }
    for (const { consumer } of step.plan.moves) {
      const [low, high] = [flowLowKgS[consumer] ?? Number.NaN, flowHighKgS[consumer] ?? Number.NaN]
      expect(high / low).toBeGreaterThan(1.03)
      expect(high / low).toBeLessThan(1.4)
      const planned = step.expected.flowKgS[consumer] ?? Number.NaN
      expect(Math.abs(Math.log((low + high) / 2 / planned))).toBeLessThan(0.08)
    }
  })

  test('more flow warms a room: where the plan gives more, the least expected room is above the present one', () => {
    const { order, step } = createPlan()
    const { roomLowC } = forecastStep(order, step)
    const more = [...step.flowKgS.keys()].filter(
      (i) => (step.expected.flowKgS[i] ?? 0) > 1.25 * (step.flowKgS[i] ?? 0),
    )
    expect(more.length).toBeGreaterThan(1)
    for (const i of more) expect(roomLowC[i]).toBeGreaterThan(step.before.roomC[i] ?? 99)
  })

  test('nine of ten samples reach the share of returns within 1 K of their mean, and all do if none is far from it', () => {
    const { order, step } = createPlan()
    const sure = forecastStep(order, step)
    expect(sure.worstWithinOneK).toBeGreaterThan(0.9)
    const offsetK = Float64Array.from({ length: COUNT }, (_, i) => (i < 6 ? 8 : 0))
    const { worstWithinOneK, worstSigmaReturnK, medianSigmaReturnK } = forecastStep(order, step, { offsetK })
    // The mean is 2 K below the other 18, and 6 K above the 6: none is within 1 K.
    expect(worstWithinOneK).toBeLessThan(0.1)
    expect(medianSigmaReturnK).toBeGreaterThan(3)
    expect(worstSigmaReturnK).toBeGreaterThanOrEqual(medianSigmaReturnK ?? 99)
    const counts = Uint8Array.from(offsetK, (offset) => (offset > 0 ? 0 : 1))
    expect(forecastStep(order, step, { offsetK, counts }).worstWithinOneK).toBeGreaterThan(0.8)
  })
})

describe('curves that nobody stated', () => {
  const linear = ({ kvs }: ValveCharacteristic): ValveCharacteristic => ({ kind: 'linear', kvs })
  const createUnstated = (linearShare: number, closer: number) => {
    const station = createSampleStation(COUNT, 6, (valve, i) =>
      i < linearShare * COUNT ? linear(valve) : valve,
    )
    const openings = station.openings.map((opening) => opening - closer)
    const order = { ...firstStep(station), openings, readings: station.readAt(openings) }
    const curves = Array.from({ length: COUNT }, () => 'assumed' as const)
    const step = planStep(order)
    const forecastWith = (records: StepOrder['records']) => forecastStep({ ...order, records }, step)
    return {
      stated: forecastWith(order.records),
      unstated: forecastWith({ ...order.records, curves }),
    }
  }

  test('where readings show other curves, the range includes both, and the plan is judged as before', () => {
    const { stated, unstated } = createUnstated(0.5, 0.3)
    expect(unstated.worstSigmaReturnK).toBeGreaterThan(1.1 * (stated.worstSigmaReturnK ?? 99))
    expect(unstated.bestSigmaReturnK).toBeLessThanOrEqual(stated.bestSigmaReturnK ?? 0)
    expect(unstated.medianGoalSpread).toBe(stated.medianGoalSpread)
  })

  test('where readings do not show other curves, the range is that of recorded ones', () => {
    const { stated, unstated } = createUnstated(0, 0)
    expect(unstated).toEqual(stated)
  })
})

describe('a consumer that some do not know', () => {
  const unknown = Float64Array.of(Number.NaN, 2)
  const set = [Float64Array.of(1, 5), Float64Array.of(3, 7)]

  test('a set of samples without a value leaves its range to the other set', () => {
    const blind = [Float64Array.of(Number.NaN, 4), Float64Array.of(Number.NaN, 6)]
    for (const sets of [
      [set, blind],
      [blind, set],
    ]) {
      expect([...lowestOf(sets, 0)]).toEqual([1, 4])
      expect([...highestOf(sets, 1)]).toEqual([3, 7])
    }
  })

  test('a sample without a value leaves it to the others of its set', () => {
    expect([...lowestOf([[...set, unknown]], 0)]).toEqual([1, 2])
    expect([...highestOf([[...set, unknown]], 1, unknown)]).toEqual([3, 7])
  })

  test('one that no sample knows has no range', () => {
    expect([...lowestOf([[unknown]], 0, Float64Array.of(1, 1))]).toEqual([Number.NaN, 1])
    expect([...highestOf([[unknown]], 1, Float64Array.of(1, 1))]).toEqual([Number.NaN, 2])
    expect(lowestOf([], 0.1)).toHaveLength(0)
  })

  test('a consumer without an expected value has the range of its samples', () => {
    const { order, step } = createPlan()
    const without = (values: Float64Array) => values.map((value, i) => (i === 3 ? Number.NaN : value))
    const expected = { ...step.expected, returnC: without(step.expected.returnC) }
    const { returnLowC, returnHighC } = forecastStep(order, { ...step, expected })
    expect(returnHighC[3]).toBeGreaterThan(returnLowC[3] ?? 99)
  })
})

describe('thermometers that may be loose', () => {
  const withStation = (warmerK: number) => {
    const { order, step } = createPlan()
    const total = step.flowKgS.reduce((sum, flow) => sum + flow, 0)
    const back =
      order.readings.returnC.reduce((sum, value, i) => sum + value * (step.flowKgS[i] ?? 0), 0) / total
    const readings = {
      ...order.readings,
      stationSupplyC: mean(order.readings.supplyC),
      stationReturnC: back + warmerK,
    }
    return { before: forecastStep(order, step), now: forecastStep({ ...order, readings }, step) }
  }

  test('where water arrives warmer than returns show, true returns may be farther apart; shown ones are as before', () => {
    const { before, now } = withStation(0.5)
    expect(now.worstSigmaReturnK).toBeGreaterThan(1.5 * (before.worstSigmaReturnK ?? 99))
    expect(now.worstWithinOneK).toBeLessThan(before.worstWithinOneK ?? 0)
    expect(now.bestSigmaReturnK).toBeLessThan(1.3 * (before.bestSigmaReturnK ?? 0))
    for (const key of ['returnLowC', 'returnHighC', 'flowLowKgS', 'roomLowC', 'medianGoalSpread'] as const)
      expect(now[key]).toEqual(before[key])
  })

  test('where it arrives as warm as returns show, the range is nearly as before', () => {
    const { before, now } = withStation(0.05)
    expect(now.medianSigmaReturnK).toBeLessThan(1.05 * (before.medianSigmaReturnK ?? 0))
    expect(now.worstSigmaReturnK).toBeLessThan(1.3 * (before.worstSigmaReturnK ?? 0))
  })
})

test('estimated areas widen the range of the spread, which weighs returns by them', () => {
  const { order, step } = createStill()
  const withSigma = (areaSigma: Float64Array) =>
    forecastStep({ ...order, records: { ...order.records, areaSigma } }, step, { weather: CALM })
  const recorded = withSigma(new Float64Array(COUNT))
  const estimated = withSigma(new Float64Array(COUNT).fill(0.6))
  const widthOf = ({ bestSigmaReturnK = 0, worstSigmaReturnK = 0 }: ReturnType<typeof forecastStep>) =>
    worstSigmaReturnK / bestSigmaReturnK - 1
  expect(widthOf(recorded)).toBeLessThan(0.05)
  expect(widthOf(estimated)).toBeGreaterThan(0.15)
})
