import type { LoopFlows, PumpFreedom } from '../loop/loop-flows.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { ProportionalOrder } from '../proportional/proportional-plan.ts'
import { findMinFlows } from '../rooms/min-flows.ts'
import type { ThermalModel } from '../rooms/thermal-model.ts'
import type { PlannedStep, StepOrder } from './plan-step.ts'

/** What a step decides before its waves and forecasts. */
export type Decision = Pick<PlannedStep, 'targets' | 'objected' | 'plan' | 'trim'>

/**
 * Flows below which rooms are or become too cold, kg/s, those of consumers that are cold already, the consumers that must
 * not lose flow because of their rooms, and the flows at other openings and a head, Pa.
 */
export interface SafeLimits {
  readonly minKgS: Float64Array
  readonly coldKgS: Float64Array
  readonly objections: Decision['objected']
  readonly solve: (openings: Float64Array, headPa: number) => LoopFlows
}

/**
 * Distance that a plan keeps from the legal minimum, K. Its target flows keep a larger one, because a plan does not reach
 * every target exactly.
 */
const PLAN_MARGIN_K = 0.3
/** Relative change of a predicted flow that is too small for a meter. */
export const NO_CHANGE = 0.01

/** Consumers whose rooms are cold, not only colder than others. */
export const listCold = (objections: Decision['objected']): ReadonlySet<number> =>
  new Set([...objections].flatMap(([i, objection]) => (objection === 'colder' ? [] : [i])))

/** Whether a plan leaves a consumer with less flow than a minimum, kg/s. */
export function isShort(
  { openings, headPa }: MovePlan,
  minKgS: Float64Array,
  { solve }: SafeLimits,
): boolean {
  if (!minKgS.some((min) => min > 0)) return false
  const { flowKgS } = solve(openings, headPa)
  return minKgS.some((min, i) => (flowKgS[i] ?? 0) < (1 - NO_CHANGE) * min)
}

/** The same decision without any move, at the present head. */
function stayStill(decision: Decision, { openings, readings }: StepOrder, { solve }: SafeLimits): Decision {
  const flows = solve(openings, readings.headPa)
  return { ...decision, plan: { ...decision.plan, openings, moves: [], headPa: flows.headPa, flows } }
}

/** Iterations of the search for the widest harmless openings. */
const SHARE_ROUNDS = 4

type Decide = (limits: Pick<ProportionalOrder, 'pump' | 'range'>) => Decision

/**
 * The decision that comes nearest to the order and leaves no consumer short of its minimum, kg/s; undefined if there is
 * none. In a tree, an opening valve takes flow from all others, and a closing one gives flow to them (Hällström, Agner,
 * Pates). Therefore: first as ordered; then without a lower head; then consumers without cold rooms open only a part of
 * the way; then no valve opens, so that in a tree no consumer with an unchanged valve loses flow. Each decision is judged
 * by its flows.
 */
function findEnough(
  { pump, readings, openings }: StepOrder,
  range: OpeningRange,
  safe: SafeLimits,
  minKgS: Float64Array,
  decide: Decide,
): Decision | undefined {
  const isEnough = ({ plan }: Decision): boolean => !isShort(plan, minKgS, safe)
  const free = decide({ pump, range })
  if (isEnough(free)) return free
  const held: PumpFreedom =
    pump.kind === 'free' ? { ...pump, minHeadPa: Math.max(pump.minHeadPa ?? 0, readings.headPa) } : pump
  const whole = pump.kind === 'free' ? decide({ pump: held, range }) : free
  if (isEnough(whole)) return whole
  const openUpTo = (limitOf: (i: number, now: number) => number): Decision =>
    decide({
      pump: held,
      range: {
        ...range,
        max: range.max.map((max, i) =>
          Math.max(range.min[i] ?? 0, Math.min(max, limitOf(i, openings[i] ?? max))),
        ),
      },
    })
  const openPart = (share: number): Decision =>
    openUpTo((i, now) =>
      safe.objections.has(i) ? 1 : now + share * Math.max(0, (whole.plan.openings[i] ?? now) - now),
    )
  let found = openPart(0)
  if (!isEnough(found)) {
    const closing = openUpTo((_, now) => now)
    return isEnough(closing) ? closing : undefined
  }
  let [low, high] = [0, 1]
  for (let round = 0; round < SHARE_ROUNDS; round++) {
    const share = (low + high) / 2
    const part = openPart(share)
    if (isEnough(part)) {
      low = share
      found = part
    } else high = share
  }
  return found
}

/**
 * The decision that comes nearest to the order and harms no rooms. If some that are legal now would become too cold in
 * any case, it only keeps the flows of cold ones, and refuse-plan.ts refuses it with the reason; if that is impossible
 * too, nothing moves.
 */
export function findHarmless(
  order: StepOrder,
  range: OpeningRange,
  safe: SafeLimits,
  decide: Decide,
): Decision {
  const found =
    findEnough(order, range, safe, safe.minKgS, decide) ??
    findEnough(order, range, safe, safe.coldKgS, decide)
  return found ?? stayStill(decide({ pump: order.pump, range }), order, safe)
}

/**
 * Flows that no plan may fall short of, kg/s, 0 without a limit: `coldKgS`, the present flow of consumers with cold rooms;
 * `minKgS`, also the flow at which the coldest room of another one stays legal. A slot of a sequence cools rooms on purpose.
 */
export function findFloors(
  { readings, goal, coldestRoomC = readings.roomC }: StepOrder,
  thermal: ThermalModel,
  nowKgS: Float64Array,
  objections: Decision['objected'],
): Pick<SafeLimits, 'minKgS' | 'coldKgS'> {
  const none = new Float64Array(nowKgS.length)
  if (goal.kind === 'sequence') return { minKgS: none, coldKgS: none }
  const cold = new Map([...objections].filter(([, objection]) => objection !== 'colder'))
  const rooms = { roomC: readings.roomC, coldestC: coldestRoomC }
  return {
    minKgS: findMinFlows(thermal, nowKgS, rooms, cold, PLAN_MARGIN_K),
    coldKgS: nowKgS.map((flow, i) => (cold.has(i) ? flow : 0)),
  }
}
