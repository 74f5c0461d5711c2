import type { LoopFlows, PumpFreedom } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import { isEnoughAtWorst, type MoveDoubt } from '../moves/move-doubt.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { ProportionalOrder } from '../proportional/proportional-plan.ts'
import type { FlowKnowledge, LoopRecords } from '../records/loop-records.ts'
import { findMinFlows } from '../rooms/min-flows.ts'
import type { ThermalModel } from '../rooms/thermal-model.ts'
import { hasUnknownCurves } from '../step/curved-loop.ts'
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
  /** Circuits and valves of the loop that is solved. */
  readonly model: LoopModel
  readonly doubt: MoveDoubt
}

/**
 * Doubt by what is known. With meters the snapshots of the loop show what its valves do: one that follows by less than 0.7 is
 * called slipping. Without them a valve with another curve than assumed may pass twice as much when it opens, and one
 * that follows by less than 0.3 is called stuck; recorded pipes and areas leave half of that error.
 */
const DOUBT = {
  known: { opens: 1.3, closes: 0.7, own: 1 / 1.3 },
  recorded: { opens: 1.5, closes: 0.5, own: 1 / 1.5 },
  assumed: { opens: 2, closes: 0.3, own: 1 / 2 },
} as const

/** Doubt in the moves of a loop: stated curves and meters leave the least. */
export function doubtOf(records: Pick<LoopRecords, 'assumed' | 'curves'>, flows: FlowKnowledge): MoveDoubt {
  const { assumed } = records
  if (flows === 'metered' || !hasUnknownCurves(records)) return DOUBT.known
  return assumed && (assumed.areas.includes(1) || assumed.pipes.includes(1)) ? DOUBT.assumed : DOUBT.recorded
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

/** Consumers that a plan leaves with less flow than their minimum, kg/s. */
export function listShort(
  { openings, headPa }: MovePlan,
  minKgS: Float64Array,
  { solve }: SafeLimits,
): readonly number[] {
  if (!minKgS.some((min) => min > 0)) return []
  const { flowKgS } = solve(openings, headPa)
  return [...minKgS.keys()].filter((i) => (flowKgS[i] ?? 0) < (1 - NO_CHANGE) * (minKgS[i] ?? 0))
}

/** The same decision without any move, at the present head. */
function stayStill(decision: Decision, { openings, readings }: StepOrder, { solve }: SafeLimits): Decision {
  const flows = solve(openings, readings.headPa)
  return { ...decision, plan: { ...decision.plan, openings, moves: [], headPa: flows.headPa, flows } }
}

/** Iterations of the search for the part of the way that is harmless for all valves. */
const SHARE_ROUNDS = 4
/** Parts of the way that single valves may open, the widest first. */
const PARTS = [1, 0.5, 0.25] as const
/** Valves are tried in at most this number of groups. */
const MAX_GROUPS = 32
/** Step of the motors, 0..1. */
const STEP = 0.01

type Decide = (limits: Pick<ProportionalOrder, 'pump' | 'range'>) => Decision

/** Whether consumers with cold rooms may lose flow if moves differ from planned. */
function isDoubtful(
  { openings: from }: StepOrder,
  { openings: to, headPa }: MovePlan,
  { coldKgS, doubt, model, objections, solve }: SafeLimits,
): boolean {
  const of = new Set([...coldKgS.keys()].filter((i) => (coldKgS[i] ?? 0) > 0))
  if (of.size === 0) return false
  return !isEnoughAtWorst(model, { from, to }, doubt, {
    of,
    favoured: objections,
    isEnough: (flow, i) => flow >= (1 - ROUNDING) * (coldKgS[i] ?? 0),
    solve: (at) => solve(at, headPa),
  })
}

/** Whether a decision leaves each consumer its minimum, kg/s, and those with cold rooms their flow in any case. */
export const isHarmless = (
  order: StepOrder,
  { plan }: Decision,
  safe: SafeLimits,
  minKgS = safe.minKgS,
): boolean => listShort(plan, minKgS, safe).length === 0 && !isDoubtful(order, plan, safe)

/** Relative error of solved flows. */
const ROUNDING = 1e-6
/** Iterations in which valves that would close too far get a higher minimum opening. */
const CLOSE_LESS_ROUNDS = 3

/**
 * The decision in which no valve closes so far that its own consumer is short of its minimum. ln of the flow is a concave
 * function of the opening, so the straight line between the planned and the present opening leads to at least the minimum.
 * Otherwise one valve that closes too far would keep all others from opening.
 */
function closeLess(
  { openings, readings }: StepOrder,
  { pump, range }: Parameters<Decide>[0],
  { solve }: SafeLimits,
  minKgS: Float64Array,
  decide: Decide,
): Decision {
  const presentKgS = solve(openings, readings.headPa).flowKgS
  let { min } = range
  for (let round = 0; ; round++) {
    const decision = decide({ pump, range: { ...range, min } })
    const { flowKgS } = solve(decision.plan.openings, decision.plan.headPa)
    const raised = min.map((low, i) => {
      const [from, to] = [openings[i] ?? 0, decision.plan.openings[i] ?? 0]
      const [flow, floor] = [flowKgS[i] ?? 0, minKgS[i] ?? 0]
      if (to >= from || flow >= (1 - NO_CHANGE) * floor) return low
      const share = Math.log(floor / flow) / Math.log(Math.max(floor, presentKgS[i] ?? 0) / flow)
      return Math.max(low, Math.min(from, to + share * (from - to)))
    })
    if (round >= CLOSE_LESS_ROUNDS || raised.every((low, i) => low === min[i])) return decision
    min = raised
  }
}

/** A decision with other openings at the same head. */
function withOpenings(
  decision: Decision,
  { openings: from }: StepOrder,
  openings: Float64Array,
  { solve }: SafeLimits,
): Decision {
  const { plan } = decision
  const moves = Array.from(openings, (to, consumer) => ({ consumer, from: from[consumer] ?? to, to }))
  const real = moves.filter(({ from: now, to }) => Math.abs(to - now) > STEP / 2)
  return { ...decision, plan: { ...plan, openings, moves: real, flows: solve(openings, plan.headPa) } }
}

/**
 * Openings of a harmless decision with single valves open as far towards `wanted` as is harmless too, those of rooms that
 * object first. A group that is not harmless is split in two, so one valve near to a cold room does not keep those of other
 * streets from opening.
 */
function widen(
  wanted: Float64Array,
  { min }: OpeningRange,
  { plan }: Decision,
  { objections }: SafeLimits,
  isSafe: (openings: Float64Array) => boolean,
): Float64Array {
  let widest = plan.openings
  const narrow = [...wanted.keys()].filter((i) => (wanted[i] ?? 0) - (widest[i] ?? 0) > STEP / 2)
  const order = [...narrow.filter((i) => objections.has(i)), ...narrow.filter((i) => !objections.has(i))]
  const smallest = Math.ceil(order.length / MAX_GROUPS)
  function open(group: readonly number[], part: number): void {
    const tried = widest.slice()
    for (const i of group) {
      const [now, to] = [plan.openings[i] ?? 0, wanted[i] ?? 0]
      const at = part === 1 ? to : now + Math.floor((part * (to - now)) / STEP) * STEP
      if (at >= (min[i] ?? 0)) tried[i] = at
    }
    if (isSafe(tried)) widest = tried
    else if (group.length > smallest) {
      const half = Math.ceil(group.length / 2)
      open(group.slice(0, half), part)
      open(group.slice(half), part)
    }
  }
  for (const part of PARTS) {
    const left = order.filter((i) => widest[i] === plan.openings[i])
    if (left.length > 0) open(left, part)
  }
  return widest
}

/**
 * The decision that comes nearest to the order and leaves no consumer short of its minimum, kg/s; undefined if there is
 * none. In a tree, an opening valve takes flow from all others, and a closing one gives flow to them (Hällström, Agner,
 * Pates). Therefore: first as ordered; then without a lower head; then consumers without cold rooms open only a part of
 * the way; then no valve opens, so that in a tree no consumer with an unchanged valve loses flow; and then single valves
 * open further. Each decision is judged by its flows, and by those of cold rooms if moves differ from planned. Valves of
 * consumers that it would leave short close less.
 */
function findEnough(
  order: StepOrder,
  range: OpeningRange,
  safe: SafeLimits,
  minKgS: Float64Array,
  decideWithin: Decide,
): Decision | undefined {
  const { pump, readings, openings } = order
  const isEnough = (decision: Decision): boolean => isHarmless(order, decision, safe, minKgS)
  const decide: Decide = (limits) => closeLess(order, limits, safe, minKgS, decideWithin)
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
  if (isEnough(found)) {
    let [low, high] = [0, 1]
    for (let round = 0; round < SHARE_ROUNDS; round++) {
      const share = (low + high) / 2
      const part = openPart(share)
      if (isEnough(part)) {
        low = share
        found = part
      } else high = share
    }
  } else {
    found = openUpTo((_, now) => now)
    if (!isEnough(found)) return undefined
  }
  const isSafe = (at: Float64Array): boolean => isEnough({ ...found, plan: { ...found.plan, openings: at } })
  const widest = widen(whole.plan.openings, range, found, safe, isSafe)
  const around = openUpTo((i, now) => Math.max(now, widest[i] ?? now))
  return isEnough(around) ? around : withOpenings(found, order, widest, safe)
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
 * `minKgS`, also the flow at which the coldest room of another one stays legal. Both are flows of the model, `modelKgS` at
 * present: behind a clogged strainer it may be twice the estimated `nowKgS`, and held against that one a plan could take
 * half of it. A minimum that the model does not reach even without a move must not refuse a plan. A slot of a sequence
 * cools rooms on purpose.
 */
export function findFloors(
  { readings, goal, coldestRoomC = readings.roomC }: StepOrder,
  thermal: ThermalModel,
  { nowKgS, modelKgS }: { readonly nowKgS: Float64Array; readonly modelKgS: Float64Array },
  objections: Decision['objected'],
  estimatedC: Float64Array | undefined,
): Pick<SafeLimits, 'minKgS' | 'coldKgS'> {
  const none = new Float64Array(nowKgS.length)
  if (goal.kind === 'sequence') return { minKgS: none, coldKgS: none }
  const cold = new Map([...objections].filter(([, objection]) => objection !== 'colder'))
  const rooms = { roomC: readings.roomC, coldestC: coldestRoomC }
  const minKgS = findMinFlows(thermal, nowKgS, rooms, cold, { marginK: PLAN_MARGIN_K, estimatedC })
  return {
    minKgS: modelKgS.map((flow, i) => (cold.has(i) ? flow : Math.min(minKgS[i] ?? 0, flow))),
    coldKgS: modelKgS.map((flow, i) => (cold.has(i) ? flow : 0)),
  }
}
