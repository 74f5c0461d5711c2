import { pascal } from '@isotherm/kernel/quantities'
import { weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import { describe, expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { planStep, type StepOrder } from '../plan/plan-step.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import { type ProportionalOrder, planProportional } from './proportional-plan.ts'
import { scheduleGains } from './valve-gains.ts'

const COUNT = 24
const SEEDS = [1, 2, 3, 4, 5]
const goal = { kind: 'temperature', target: 'return', method: 'proportional' } as const
const blind = new Float64Array(COUNT).fill(Number.NaN)
const spread = (values: Float64Array): number => weightedDeviation(values) ?? Number.NaN

/**
 * Spread of returns before each round and after the last, K, of the valves that are not fully open at the end.
 */
function run(seed: number, rounds: number): readonly number[] {
  const station = createSampleStation(COUNT, seed)
  // No room is measured that could object.
  const readAt = (openings: Float64Array) => ({ ...station.readAt(openings), roomC: blind })
  const first = firstStep(station)
  let order: StepOrder = { ...first, readings: readAt(first.openings), goal }
  const returnsC = [order.readings.returnC]
  for (let round = 0; round < rounds; round++) {
    const { plan, memory } = planStep(order)
    const readings = readAt(plan.openings)
    order = { ...order, readings, openings: plan.openings, memory, gateK: 0.4 }
    returnsC.push(readings.returnC)
  }
  return returnsC.map((values) => spread(values.filter((_, i) => (order.openings[i] ?? 0) < 0.99)))
}

test.each(SEEDS)(
  'rounds bring returns nearer to each other without swinging, and stop at the dead band (%i)',
  (seed) => {
    const spreads = run(seed, 8)
    const [before = 0] = spreads
    expect(spreads.at(-1)).toBeLessThan(0.5)
    expect(spreads.at(-1)).toBeLessThan(0.25 * before)
    for (const [round, each] of spreads.entries())
      expect(each).toBeLessThan((spreads[round - 1] ?? Number.POSITIVE_INFINITY) + 0.1)
  },
)

describe('a round', () => {
  const createOrder = (station = createSampleStation(COUNT, 2)): StepOrder => ({
    ...firstStep(station),
    goal,
  })

  test('moves every valve that is off by more than half a kelvin, against its error, by 10 % at most', () => {
    const order = createOrder()
    const { plan, targets } = planStep(order)
    expect(targets.common).toBeCloseTo(weightedMean(order.readings.returnC, order.records.areaM2) ?? 0, 9)
    expect(plan.moves.length).toBeGreaterThan(10)
    expect(targets.flowKgS).not.toEqual(plan.flows.flowKgS)
    for (const { consumer, from, to } of plan.moves) {
      const error = (order.readings.returnC[consumer] ?? 0) - targets.common
      expect(Math.abs(error)).toBeGreaterThan(0.5)
      expect((to - from) * error).toBeLessThan(0)
      expect(Math.abs(to - from)).toBeLessThan(0.1051)
    }
  })

  test('moves a valve further if its circuit leaves it little authority', () => {
    const order = createOrder()
    const { records } = order
    const { network } = records.loop
    const strangled = network.circuitResistance.map((value, i) => (i === 0 ? 40 * value : value))
    const loop = { ...records.loop, network: { ...network, circuitResistance: strangled } }
    // The errors are so small that neither valve reaches its maximum step.
    const { common } = planStep(order).targets
    const returnC = order.readings.returnC.map((value, i) => (i === 0 ? common + 0.8 : value))
    const readings = { ...order.readings, returnC }
    const moveOf = (given: StepOrder) => {
      const found = planStep(given).plan.moves.find(({ consumer }) => consumer === 0)
      return Math.abs((found?.to ?? 0) - (found?.from ?? 0))
    }
    const strong = moveOf({ ...order, readings, flows: 'temperature-only' })
    const weak = moveOf({ ...order, readings, flows: 'temperature-only', records: { ...records, loop } })
    expect(strong).toBeGreaterThan(0)
    expect(weak).toBeGreaterThan(strong)
  })

  test('leaves valves that are fixed or at their range, and ignores their returns', () => {
    const order = createOrder()
    const isFixed = order.isFixed.map((_, i) => (i % 2 === 0 ? 1 : 0))
    const max = order.openings.slice()
    const limits = { min: new Float64Array(COUNT), max }
    const { plan, targets } = planStep({ ...order, isFixed, limits })
    const free = order.readings.returnC.map((value, i) => (isFixed[i] === 1 ? Number.NaN : value))
    expect(targets.common).toBeCloseTo(weightedMean(free, order.records.areaM2) ?? 0, 9)
    for (const { consumer, from, to } of plan.moves) {
      expect(isFixed[consumer]).toBe(0)
      expect(to).toBeLessThan(from)
    }
  })

  test('moves no valve and has no mean while all wait', () => {
    const order = createOrder()
    const { plan, targets } = planStep({ ...order, isFixed: order.isFixed.map(() => 1) })
    expect(plan.moves).toEqual([])
    expect(targets.common).toBeNaN()
    expect(plan.flows.flowKgS.every((flow) => flow > 0)).toBe(true)
  })

  test('closes no valve whose rooms are cold, in the first round either', () => {
    const order = createOrder()
    const roomC = new Float64Array(COUNT).fill(17)
    const { plan, objected } = planStep({ ...order, readings: { ...order.readings, roomC } })
    expect(objected.size).toBeGreaterThan(4)
    expect(plan.moves.every(({ from, to }) => to > from)).toBe(true)
  })

  test('predicts its own result, so that it can be watched like any other round', () => {
    const station = createSampleStation(COUNT, 2)
    const order = createOrder(station)
    const { plan, expected, waves } = planStep(order)
    const after = station.readAt(plan.openings)
    for (const [i, flow] of after.meterKgS.entries())
      expect(Math.abs(Math.log((expected.flowKgS[i] ?? 0) / flow))).toBeLessThan(0.12)
    expect(waves.steps.length).toBeGreaterThan(0)
  })
})

describe('a valve', () => {
  /** Four valves at 50 %, whose returns are 2 K too warm, right, right and 2 K too cold. */
  const createFour = (change: Partial<ProportionalOrder> = {}): ProportionalOrder => ({
    readings: {
      supplyC: filled(4, 46),
      returnC: Float64Array.of(42, 40, 40, 38),
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
    deadBandK: 0.5,
    pump: { kind: 'fixed-head', headPa: 60_000 },
    ...change,
  })
  const planFour = (change: Partial<ProportionalOrder> = {}) =>
    planProportional(createSampleLoop(4), createFour(change))
  const range = (min: readonly number[], max: readonly number[]) => ({
    range: { min: Float64Array.from(min), max: Float64Array.from(max) },
  })

  test('moves by its gain times its error, 10 % at most, in steps of the motor', () => {
    const { plan, targetC, objected } = planFour()
    const model = createSampleLoop(4)
    const order = createFour()
    const flows = solveLoop(model, order.openings, { kind: 'head', head: pascal(60_000) })
    const gain = scheduleGains(model, flows, order, 0.6)
    const travel = (consumer: number) => Math.min(10, Math.round(100 * 2 * (gain[consumer] ?? 0)))
    expect(targetC).toBe(40)
    expect(objected.size).toBe(0)
    expect(travel(0)).toBe(10)
    expect(travel(3)).toBeLessThan(10)
    expect(plan.moves.map(({ consumer, from, to }) => [consumer, Math.round(100 * (to - from))])).toEqual([
      [0, -10],
      [3, travel(3)],
    ])
    expect(plan.headPa).toBeCloseTo(60_000, 6)
    expect(plan).toMatchObject({ scale: 1, heldBack: [], starved: [], spared: [], overfed: [] })
  })

  test('objects only if it would close', () => {
    const objections = new Map([0, 1, 2, 3].map((consumer) => [consumer, 'cold'] as const))
    const { plan, objected } = planFour({ objections })
    expect([...objected]).toEqual([[0, 'cold']])
    expect(plan.moves.map(({ consumer }) => consumer)).toEqual([3])
  })

  test('stops at the end of its range', () => {
    const { plan } = planFour(range([0.47, 0.1, 0.1, 0.1], [1, 1, 1, 0.51]))
    expect(plan.moves.map(({ to }) => to)).toEqual([0.47, 0.51])
  })

  test('outside its range moves neither further away from it, nor against its error into it', () => {
    const { plan } = planFour(range([0.6, 0.6, 0.1, 0.1], [1, 1, 0.4, 0.4]))
    expect(plan.moves).toEqual([])
    expect([...plan.openings]).toEqual([0.5, 0.5, 0.5, 0.5])
  })

  test('gets no command for less than half a motor step', () => {
    const { plan } = planFour(range([0.496, 0.1, 0.1, 0.1], [1, 1, 1, 0.506]))
    expect(plan.moves.map(({ consumer }) => consumer)).toEqual([3])
  })

  test('is balanced to its own offset from the mean', () => {
    const { plan } = planFour({ offsetK: Float64Array.of(2, 0, 0, -2) })
    expect(plan.moves).toEqual([])
  })
})
