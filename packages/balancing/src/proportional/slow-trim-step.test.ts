import { pascal } from '@isotherm/kernel/quantities'
import { describe, expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { planSlowTrim, type SlowTrimOrder } from './slow-trim.ts'
import { scheduleGains } from './valve-gains.ts'

/** Four valves at 50 %, whose returns are 1 K too warm, right, right and 1 K too cold, a day after their balance. */
const createOrder = (change: Partial<SlowTrimOrder> = {}): SlowTrimOrder => ({
  readings: {
    supplyC: filled(4, 46),
    returnC: Float64Array.of(41, 40, 40, 39),
    meterKgS: filled(4, 1),
    roomC: filled(4, 20),
    outdoorC: -5,
    headPa: 60_000,
    totalKgS: 4,
  },
  openings: filled(4, 0.5),
  areaM2: filled(4, 1_000),
  exponent: filled(4, 1.3),
  offsetK: undefined,
  isFixed: new Uint8Array(4),
  objections: new Map(),
  range: { min: filled(4, 0.1), max: filled(4, 1) },
  pump: { kind: 'fixed-head', headPa: 60_000 },
  trim: { base: filled(4, 0.5), integralKd: filled(4, 0), days: 1 },
  ...change,
})
const planFour = (change: Partial<SlowTrimOrder> = {}) =>
  planSlowTrim(createSampleLoop(4), createOrder(change))

/** Opening of the first valve by a PI controller that removes 10 % of 1 K at once and 20 % a day, before rounding. */
function openingOf(base: number, sumKd: number): number {
  const order = createOrder()
  const model = createSampleLoop(4)
  const flows = solveLoop(model, order.openings, { kind: 'head', head: pascal(60_000) })
  const [gain = Number.NaN] = scheduleGains(model, flows, order, 1)
  return base - gain * (0.1 + 0.2 * sumKd)
}

describe('a slow trim', () => {
  test('removes 10 % of an error at once and 20 % of its sum, in motor steps from the opening of the balance', () => {
    const { plan, targetC, integralKd } = planFour()
    const [first] = plan.openings
    expect(targetC).toBe(40)
    expect(first).toBeCloseTo(Math.round(100 * openingOf(0.5, 1)) / 100, 9)
    expect(plan.moves.map(({ consumer, to }) => [consumer, Math.sign(to - 0.5)])).toEqual([
      [0, -1],
      [3, 1],
    ])
    expect([...integralKd]).toEqual([1, 0, 0, -1])
    expect(plan.headPa).toBeCloseTo(60_000, 6)
    expect(plan).toMatchObject({ scale: 1, heldBack: [], starved: [], spared: [], overfed: [] })
  })

  test('continues from its stored sum, and from the opening of the balance rather than the present one', () => {
    const trim = { base: filled(4, 0.49), integralKd: Float64Array.of(1, 0, 0, 0), days: 2 }
    const { plan, integralKd } = planFour({ trim })
    expect(plan.openings[0]).toBeCloseTo(Math.round(100 * openingOf(0.49, 3)) / 100, 9)
    expect(integralKd[0]).toBe(3)
    expect(trim.integralKd[0]).toBe(1)
  })

  test('counts a return without its offset', () => {
    const { plan, targetC } = planFour({ offsetK: Float64Array.of(1, 0, 0, -1) })
    expect(targetC).toBe(40)
    expect(plan.moves).toEqual([])
  })

  test('does not count an error as large as its dead band of half a kelvin', () => {
    const { readings } = createOrder()
    const { plan, integralKd } = planFour({
      readings: { ...readings, returnC: Float64Array.of(40.5, 40, 40, 39.5) },
    })
    expect(plan.moves).toEqual([])
    expect([...integralKd]).toEqual([0, 0, 0, 0])
  })

  test('compares with the returns that have not drifted: three cold ones of twenty move no other valve', () => {
    const count = 20
    const returnC = filled(count, 40)
    for (const i of [3, 9, 15]) returnC[i] = 38
    returnC[7] = 40.35
    const { readings } = createOrder()
    const order = createOrder({
      readings: {
        ...readings,
        supplyC: filled(count, 46),
        meterKgS: filled(count, 1),
        roomC: filled(count, 20),
        returnC,
      },
      openings: filled(count, 0.5),
      areaM2: filled(count, 1_000),
      exponent: filled(count, 1.3),
      isFixed: new Uint8Array(count),
      range: { min: filled(count, 0.1), max: filled(count, 1) },
      trim: { base: filled(count, 0.5), integralKd: filled(count, 0), days: 3 },
    })
    const { plan, targetC, integralKd } = planSlowTrim(createSampleLoop(count), order)
    // Their plain mean is 39.72 °C, and the healthy valve 0.63 K above it.
    expect(targetC).toBeGreaterThan(39.9)
    expect(plan.moves.map(({ consumer }) => consumer)).toEqual([3, 9, 15])
    expect(integralKd[7]).toBe(0)
  })

  test('moves no valve along its error: one that is closed further than the trim wants stays there', () => {
    const { plan, integralKd } = planFour({ openings: Float64Array.of(0.42, 0.5, 0.5, 0.58) })
    expect(plan.moves).toEqual([])
    expect([...integralKd]).toEqual([1, 0, 0, -1])
  })

  test('moves no valve by less than half a motor step, and one by a little more', () => {
    const to = planFour().plan.openings[0] ?? Number.NaN
    const from = (opening: number) => planFour({ openings: Float64Array.of(opening, 0.5, 0.5, 0.5) }).plan
    const moved = (opening: number) => from(opening).moves.some(({ consumer }) => consumer === 0)
    expect(to).toBeLessThan(0.5)
    expect([to + 0.004, to + 0.006, to + 0.019].map(moved)).toEqual([false, true, true])
    expect(from(to + 0.004).openings[0]).toBe(to + 0.004)
  })

  test('stays within the range of a valve', () => {
    const trim = { base: filled(4, 0.5), integralKd: Float64Array.of(9, 0, 0, -9), days: 1 }
    const min = Float64Array.of(0.45, 0.1, 0.1, 0.1)
    const max = Float64Array.of(1, 1, 1, 0.53)
    const { plan } = planFour({ trim, range: { min, max } })
    expect(plan.moves.map(({ to }) => to)).toEqual([0.45, 0.53])
  })

  test('leaves a warm valve whose rooms object, and opens a cold one', () => {
    const objections = new Map([0, 1, 2, 3].map((consumer) => [consumer, 'colder'] as const))
    const { plan, objected, integralKd } = planFour({ objections })
    expect([...objected]).toEqual([[0, 'colder']])
    expect(plan.moves.map(({ consumer }) => consumer)).toEqual([3])
    expect([...integralKd]).toEqual([0, 0, 0, -1])
  })
})
