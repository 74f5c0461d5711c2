import { weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import { describe, expect, test } from 'vitest'
import { planStep, type StepOrder } from '../plan/plan-step.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'

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
  const see = (openings: Float64Array) => ({ ...station.see(openings), roomC: blind })
  const first = firstStep(station)
  let order: StepOrder = { ...first, seen: see(first.openings), goal }
  const returnsC = [order.seen.returnC]
  for (let round = 0; round < rounds; round++) {
    const { plan, memory } = planStep(order)
    const seen = see(plan.openings)
    order = { ...order, seen, openings: plan.openings, memory, gateK: 0.4 }
    returnsC.push(seen.returnC)
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
  const station = createSampleStation(COUNT, 2)
  const order: StepOrder = { ...firstStep(station), goal }

  test('moves every valve that is off by more than half a kelvin, against its error, by 10 % at most', () => {
    const { plan, targets } = planStep(order)
    expect(targets.common).toBeCloseTo(weightedMean(order.seen.returnC, order.records.areaM2) ?? 0, 9)
    expect(plan.moves.length).toBeGreaterThan(10)
    expect(targets.flowKgS).not.toEqual(plan.flows.flowKgS)
    for (const { consumer, from, to } of plan.moves) {
      const error = (order.seen.returnC[consumer] ?? 0) - targets.common
      expect(Math.abs(error)).toBeGreaterThan(0.5)
      expect((to - from) * error).toBeLessThan(0)
      expect(Math.abs(to - from)).toBeLessThan(0.1051)
    }
  })

  test('moves a valve further if its circuit leaves it little authority', () => {
    const { records } = order
    const { network } = records.loop
    const strangled = network.circuitResistance.map((value, i) => (i === 0 ? 40 * value : value))
    const loop = { ...records.loop, network: { ...network, circuitResistance: strangled } }
    // The errors are so small that neither valve reaches its maximum step.
    const { common } = planStep(order).targets
    const returnC = order.seen.returnC.map((value, i) => (i === 0 ? common + 0.8 : value))
    const seen = { ...order.seen, returnC }
    const moveOf = (given: StepOrder) => {
      const found = planStep(given).plan.moves.find(({ consumer }) => consumer === 0)
      return Math.abs((found?.to ?? 0) - (found?.from ?? 0))
    }
    const strong = moveOf({ ...order, seen, flows: 'temperature-only' })
    const weak = moveOf({ ...order, seen, flows: 'temperature-only', records: { ...records, loop } })
    expect(strong).toBeGreaterThan(0)
    expect(weak).toBeGreaterThan(strong)
  })

  test('leaves valves that are fixed or at their range, and ignores their returns', () => {
    const isFixed = order.isFixed.map((_, i) => (i % 2 === 0 ? 1 : 0))
    const most = order.openings.slice()
    const limits = { least: new Float64Array(COUNT), most }
    const { plan, targets } = planStep({ ...order, isFixed, limits })
    const free = order.seen.returnC.map((value, i) => (isFixed[i] === 1 ? Number.NaN : value))
    expect(targets.common).toBeCloseTo(weightedMean(free, order.records.areaM2) ?? 0, 9)
    for (const { consumer, from, to } of plan.moves) {
      expect(isFixed[consumer]).toBe(0)
      expect(to).toBeLessThan(from)
    }
  })

  test('moves no valve and has no mean while all wait', () => {
    const { plan, targets } = planStep({ ...order, isFixed: order.isFixed.map(() => 1) })
    expect(plan.moves).toEqual([])
    expect(targets.common).toBeNaN()
    expect(plan.flows.flowKgS.every((flow) => flow > 0)).toBe(true)
  })

  test('closes no valve whose rooms are cold, in the first round either', () => {
    const roomC = new Float64Array(COUNT).fill(17)
    const { plan, objected } = planStep({ ...order, seen: { ...order.seen, roomC } })
    expect(objected.size).toBeGreaterThan(4)
    expect(plan.moves.every(({ from, to }) => to > from)).toBe(true)
  })

  test('predicts its own result, so that it can be watched like any other round', () => {
    const { plan, expected, waves } = planStep(order)
    const after = station.see(plan.openings)
    for (const [i, flow] of after.meterKgS.entries())
      expect(Math.abs(Math.log((expected.flowKgS[i] ?? 0) / flow))).toBeLessThan(0.12)
    expect(waves.steps.length).toBeGreaterThan(0)
  })
})
