import { approachS } from '../loop/approach-resistance.ts'
import type { LoopFlows } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'
import { openingForDrop } from '../loop/valve-opening.ts'
import type { ValveMove } from './fewest-moves.ts'
import type { OpeningRange } from './moves-within.ts'
import { type MoveJudgement, SIGNIFICANT, type VerifyLimits } from './verify.ts'

/** Test moves of valves that no campaign has moved yet. */
export interface TestOrder {
  /** Openings, 0..1, and flows, kg/s, before the tests; and target flows. */
  readonly openings: Float64Array
  readonly flows: LoopFlows
  readonly targetKgS: Float64Array
  readonly range: OpeningRange
  /** Step of the motors, 0..1. */
  readonly step: number
  /** Change of ln ṁ that a test aims for: enough to stand out from the noise of a meter. */
  readonly change: number
}

/** This share of the intended change is still enough. */
const ENOUGH = 0.9

/**
 * Whether a judgement proves that a valve follows its commands: the move was large enough, and the flow followed.
 */
export const isProof = ({ verdict, change, followed }: MoveJudgement, { flowSigma }: VerifyLimits): boolean =>
  verdict === 'accepted' ||
  (verdict === 'learn' && Math.abs(change) >= SIGNIFICANT * flowSigma && followed > 0)

/**
 * The opening nearest to `from` in one direction at which the flow changes by `change`, and the actual change there.
 */
function tryDirection(
  model: LoopModel,
  order: TestOrder,
  approach: number,
  consumer: number,
  isOpening: boolean,
) {
  const from = order.openings[consumer] ?? 0
  const valve = model.valves[consumer]
  const now = approach + consumerS(model, consumer, from)
  const wanted = now * Math.exp((isOpening ? -2 : 2) * order.change)
  const fixed = approach + (model.network.circuitResistance[consumer] ?? 0)
  const exact = valve === undefined ? from : openingForDrop(valve, fixed, wanted, 1, model.fluid.densityKgM3)
  // Rounded outwards, so rounding never makes the change smaller.
  const steps = isOpening ? Math.ceil(exact / order.step - 1e-9) : Math.floor(exact / order.step + 1e-9)
  const max = order.range.max[consumer] ?? 1
  const to = Math.min(max, Math.max(order.range.min[consumer] ?? 0, steps * order.step))
  return { to, change: Math.abs(Math.log((approach + consumerS(model, consumer, to)) / now) / 2) }
}

/**
 * Plans moves that test valves which no campaign has moved far enough: a valve that is stuck at its target opening seems
 * healthy until it moves. Each valve moves once, from one side of its target to the other, and stays there. A test
 * costs one move and a few per cent of flow. Not tested: a valve that cannot change its flow enough in either direction, and
 * a fully open valve that is short of flow. Worked example: test-moves.test.ts.
 */
export function planTests(model: LoopModel, order: TestOrder, unproven: readonly number[]): ValveMove[] {
  const approach = approachS(model, order.flows)
  return unproven.flatMap((consumer) => {
    const isBelow = (order.flows.flowKgS[consumer] ?? 0) < (order.targetKgS[consumer] ?? 0)
    // Closing would take flow from a consumer that is short already.
    const isEnd = isBelow && (order.openings[consumer] ?? 0) >= (order.range.max[consumer] ?? 1)
    if (isEnd) return []
    const tries = [isBelow, !isBelow].map((isOpening) =>
      tryDirection(model, order, approach[consumer] ?? 0, consumer, isOpening),
    )
    const chosen = tries.find(({ change }) => change >= ENOUGH * order.change)
    return chosen === undefined ? [] : [{ consumer, from: order.openings[consumer] ?? 0, to: chosen.to }]
  })
}
