import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StepGoal } from '../step/step-targets.ts'
import { planStep } from './plan-step.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 12
const station = createSampleStation(COUNT, 9)

const goals = fc.oneof(
  fc.record({
    kind: fc.constant('temperature' as const),
    target: fc.constantFrom('return' as const, 'mean' as const, 'room' as const),
  }),
  fc.record({ kind: fc.constant('energy' as const), heatWM2: fc.double({ min: 5, max: 80, noNaN: true }) }),
  fc.record({
    kind: fc.constant('flow' as const),
    flowKgHM2: fc.option(fc.double({ min: 0.5, max: 8, noNaN: true }), { nil: undefined }),
  }),
) satisfies fc.Arbitrary<StepGoal>

const bits = fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT })

test('for any goal, missing readings and holds, a plan is finite, moves only free valves, and survives JSON', () => {
  fc.assert(
    fc.property(
      fc.record({
        openings: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: COUNT, maxLength: COUNT }),
        goal: goals,
        held: bits,
        blind: bits,
        unmetered: bits,
        gateK: fc.constantFrom(0, 0.4),
        flows: fc.constantFrom('metered' as const, 'temperature-only' as const),
        broken: fc.uniqueArray(fc.nat(COUNT - 1), { maxLength: 3 }),
      }),
      ({ openings: percent, goal, held, blind, unmetered, gateK, flows, broken }) => {
        const openings = Float64Array.from(percent, (value) => value / 100)
        const exact = station.readAt(openings)
        const hide = (values: Float64Array, hidden: readonly boolean[]) =>
          values.map((value, i) => (hidden[i] ? Number.NaN : value))
        const order = { ...firstStep(station), openings, goal, gateK, flows }
        const readings = {
          ...exact,
          returnC: hide(exact.returnC, blind),
          roomC: hide(exact.roomC, blind),
          meterKgS: hide(exact.meterKgS, unmetered),
        }
        const isFixed = Uint8Array.from(held, Number)
        const memory = { ...order.memory, broken }
        const {
          plan,
          targets,
          flowKgS,
          expected,
          memory: next,
          advisedHeadPa,
        } = planStep({
          ...order,
          readings,
          isFixed,
          memory,
        })
        const numbers = [
          plan.openings,
          targets.flowKgS,
          flowKgS,
          expected.flowKgS,
          [expected.headPa, advisedHeadPa],
        ]
        for (const values of numbers) expect([...values].every(Number.isFinite)).toBe(true)
        expect(JSON.parse(JSON.stringify(next))).toEqual(next)
        for (const { consumer, to } of plan.moves) {
          expect(held[consumer]).toBe(false)
          expect(broken).not.toContain(consumer)
          expect(to).toBeGreaterThanOrEqual(0.1)
          expect(to).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns: 150 },
  )
})
