import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { createLoop, type LoopModel } from '../loop/loop-model.ts'
import { planWaves, type WaveOrder } from './wave-plan.ts'

const HEAD_PA = 80_000

/** A random tree with one consumer at the end of every pipe. */
function createRandomTree(count: number, random: () => number): LoopModel {
  const pipes = Array.from(
    { length: count },
    (_, pipe): PipeSpec => ({
      parent: pipe === 0 ? SOURCE : Math.floor(random() * pipe),
      length: metre(20 + 80 * random()),
      innerDiameter: metre(0.035 + 0.05 * random()),
      roughness: metre(0.0005),
      localLoss: 3,
      runs: 2,
    }),
  )
  const circuits = pipes.map(
    (_, node): CircuitSpec => ({ node, resistance: resistance(8_000 + 30_000 * random()) }),
  )
  const valve = { kind: 'equal-percentage', kvs: flowCoefficient(10), rangeability: 40 } as const
  const outcome = createLoop(
    pipes,
    circuits,
    Array.from({ length: count }, () => valve),
    WARM_WATER,
  )
  if (outcome.kind !== 'loop') throw new Error(outcome.kind)
  return outcome.model
}

const pumps: readonly PumpFreedom[] = [
  { kind: 'free', maxHeadPa: 2 * HEAD_PA },
  { kind: 'fixed-head', headPa: HEAD_PA },
  { kind: 'fixed-speed', pump: { h0: 1.2 * HEAD_PA, h1: 0, h2: 400 }, speed: 1 },
]

/** A random plan that gives its cold consumers at least their present flow in the end. */
function createPlan(seed: number, count: number) {
  const random = createRandom(seed)
  const model = createRandomTree(count, random)
  const pump = pumps[Math.floor(random() * pumps.length)] ??
    pumps[0] ?? { kind: 'fixed-head', headPa: HEAD_PA }
  const openings = Float64Array.from({ length: count }, () => 0.2 + 0.7 * random())
  const moves = Array.from(openings, (from, consumer) => ({
    consumer,
    from,
    to: random() < 0.3 ? from : 0.15 + 0.8 * random(),
  })).filter(({ from, to }) => to !== from)
  const finalHeadPa = pump.kind === 'free' ? HEAD_PA * (0.7 + 0.6 * random()) : HEAD_PA
  const final = openings.slice()
  for (const { consumer, to } of moves) final[consumer] = to
  const now = solveLoop(model, openings, sourceAt(pump, HEAD_PA)).flowKgS
  const then = solveLoop(model, final, sourceAt(pump, finalHeadPa)).flowKgS
  const cold = new Set([...now.keys()].filter((i) => (then[i] ?? 0) >= (now[i] ?? 0) && random() < 0.5))
  const order: WaveOrder = { openings, headPa: HEAD_PA, finalHeadPa, moves, pump, closingWaves: 3, cold }
  return { model, order, now }
}

const plans = { seed: fc.nat(1e6), count: fc.integer({ min: 4, max: 30 }) }

test('in any tree no wave takes flow from cold rooms beyond the error of a meter, if the whole plan does not', () => {
  fc.assert(
    fc.property(plans.seed, plans.count, (seed, count) => {
      const { model, order, now } = createPlan(seed, count)
      for (const { after } of planWaves(model, order).steps)
        for (const i of order.cold ?? [])
          expect((after.flowKgS[i] ?? 0) / (now[i] ?? 0)).toBeGreaterThanOrEqual(1 - 0.012)
    }),
    { numRuns: 300 },
  )
})

test('in any tree every move is made once, valves close in three waves at most, far ones first', () => {
  fc.assert(
    fc.property(plans.seed, plans.count, (seed, count) => {
      const { model, order } = createPlan(seed, count)
      const { steps } = planWaves(model, order)
      const moved = steps.flatMap((step) => (step.kind === 'pump' ? [] : step.moves))
      const byConsumer = (one: { consumer: number }, other: { consumer: number }) =>
        one.consumer - other.consumer
      expect(moved.toSorted(byConsumer)).toEqual(order.moves.toSorted(byConsumer))
      const closing = steps.filter(({ kind }) => kind === 'close')
      expect(closing.length).toBeLessThanOrEqual(3)
      // One part opens before each closing wave and one at the end, beside the pump.
      expect(steps.filter(({ kind }) => kind === 'open').length).toBeLessThanOrEqual(closing.length + 2)
      const isHead = order.pump.kind === 'free' && order.finalHeadPa !== order.headPa
      expect(steps.filter(({ kind }) => kind === 'pump')).toHaveLength(isHead ? 1 : 0)
      // Without cold rooms all valves that open do so first.
      const usual = planWaves(model, { ...order, cold: undefined }).steps.filter(
        ({ kind }) => kind !== 'pump',
      )
      expect(usual.slice(1).every(({ kind }) => kind === 'close')).toBe(true)
    }),
    { numRuns: 100 },
  )
})
