import { approachS } from '../loop/approach-resistance.ts'
import type { LoopFlows } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'
import { openingForDrop } from '../loop/valve-opening.ts'
import type { ValveMove } from './fewest-moves.ts'
import type { OpeningRange } from './moves-within.ts'
import { type MoveJudgement, TELLING, type VerifyLimits } from './verify.ts'

/** How valves that nobody has seen move are tried. */
export interface TestOrder {
  /** Openings, 0..1, and the flows they give, kg/s, before the tests; and flows as they are wanted. */
  readonly openings: Float64Array
  readonly flows: LoopFlows
  readonly targetKgS: Float64Array
  readonly range: OpeningRange
  /** What motors can be set to: multiples of this. */
  readonly step: number
  /** Change of ln ṁ that a test aims at; enough to be told from a meter's noise. */
  readonly change: number
}

/** A share of the change that is aimed at and still tells. */
const ENOUGH = 0.8

/** Whether a judgement shows that the valve goes where it is told: its move was large enough to tell, and the flow followed. */
export const isProof = ({ verdict, change, followed }: MoveJudgement, { flowSigma }: VerifyLimits): boolean =>
  verdict === 'accepted' || (verdict === 'learn' && Math.abs(change) >= TELLING * flowSigma && followed > 0)

/** The opening nearest to `from` in one direction at which the flow has changed by `change`, and by how much it then has. */
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
  // Outwards, so that rounding never makes the change smaller.
  const steps = isOpening ? Math.ceil(exact / order.step - 1e-9) : Math.floor(exact / order.step + 1e-9)
  const most = order.range.most[consumer] ?? 1
  const to = Math.min(most, Math.max(order.range.least[consumer] ?? 0, steps * order.step))
  return { to, change: Math.abs(Math.log((approach + consumerS(model, consumer, to)) / now) / 2) }
}

/**
 * Moves that show whether valves follow which no campaign has moved far enough to tell: a valve that is stuck where it
 * should be cannot be known until it is told to go. Each goes once, from one side of its target to the other, and stays
 * there, so that a test costs one move and a few per cent of flow. Who cannot change its flow that much either way is not
 * tried. Worked example: test-moves.test.ts.
 */
export function planTests(model: LoopModel, order: TestOrder, unproven: readonly number[]): ValveMove[] {
  const approach = approachS(model, order.flows)
  return unproven.flatMap((consumer) => {
    const isBelow = (order.flows.flowKgS[consumer] ?? 0) < (order.targetKgS[consumer] ?? 0)
    const tries = [isBelow, !isBelow].map((isOpening) =>
      tryDirection(model, order, approach[consumer] ?? 0, consumer, isOpening),
    )
    const chosen = tries.find(({ change }) => change >= ENOUGH * order.change)
    return chosen === undefined ? [] : [{ consumer, from: order.openings[consumer] ?? 0, to: chosen.to }]
  })
}
