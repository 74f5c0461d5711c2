import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { RING_COUNT, RING_HEAD_PA, recordsOfRing, ring, solveRings } from '../invert/ring-mains.testkit.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import { NO_MEMORY } from '../step/step-memory.ts'
import { planStep, type StepOrder } from './plan-step.ts'

const records = recordsOfRing(ring)

/** A ring in which some buildings have cold rooms, at random openings. */
function createOrder(seed: number, change: Partial<StepOrder> = {}): StepOrder {
  const random = createRandom(seed)
  const openings = Float64Array.from({ length: RING_COUNT }, () => 0.25 + 0.6 * random())
  const meterKgS = solveRings(records, openings)
  const roomC = Float64Array.from({ length: RING_COUNT }, () => (random() < 0.35 ? 17 : 22))
  const returnC = meterKgS.map((flow, i) => 36 + 6 * (flow / (records.designKgS[i] ?? 1)))
  return {
    records,
    openings,
    readings: {
      supplyC: filled(RING_COUNT, 48),
      returnC,
      meterKgS,
      roomC,
      outdoorC: -5,
      headPa: RING_HEAD_PA,
      totalKgS: meterKgS.reduce((sum, flow) => sum + flow, 0),
    },
    flows: 'metered',
    memory: NO_MEMORY,
    gateK: 0,
    goal: { kind: 'temperature', target: 'return' },
    isFixed: new Uint8Array(RING_COUNT),
    pump: { kind: 'fixed-head', headPa: RING_HEAD_PA },
    ...change,
  }
}

const goals = [
  { kind: 'temperature', target: 'return' },
  { kind: 'temperature', target: 'mean' },
  { kind: 'temperature', target: 'return', method: 'proportional' },
  { kind: 'flow' },
  { kind: 'energy', heatWM2: 35 },
] as const
const SEEDS = Array.from({ length: 25 }, (_, seed) => seed + 1)

test.each(goals)('in a ring no wave of a plan for $kind $target takes flow from cold rooms', (goal) => {
  let moved = 0
  for (const seed of SEEDS) {
    const order = createOrder(seed, { goal })
    const { waves, plan } = planStep(order)
    moved += plan.moves.length
    const position = order.openings.slice()
    for (const step of waves.steps) {
      if (step.kind !== 'pump') for (const { consumer, to } of step.moves) position[consumer] = to
      const flows = solveRings(records, position)
      order.readings.roomC.forEach((room, i) => {
        if (room < 18)
          expect(
            (flows[i] ?? 0) / (order.readings.meterKgS[i] ?? 0),
            `seed ${seed}, building ${i}`,
          ).toBeGreaterThan(0.985)
      })
    }
  }
  expect(moved).toBeGreaterThan(SEEDS.length)
})
