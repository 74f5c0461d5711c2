import { type LoopFlows, type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { type LoopModel, valveS } from '../loop/loop-model.ts'
import type { ValveMove } from './fewest-moves.ts'
import { isEnoughAtWorst, type MoveDoubt } from './move-doubt.ts'

/** Expected state of the loop after a step, and the limits at which the campaign aborts. */
export interface StepLimits {
  /** Expected flows, kg/s, and head, Pa. */
  readonly flowKgS: Float64Array
  readonly headPa: number
  /** Minimum flow of each consumer, kg/s; below it a consumer starves. */
  readonly minFlowKgS: Float64Array
  /** Allowed range of the head at the station, Pa. */
  readonly minHeadPa: number
  readonly maxHeadPa: number
}

export type PlanStep =
  | { readonly kind: 'pump'; readonly headPa: number; readonly after: StepLimits }
  | { readonly kind: 'open' | 'close'; readonly moves: readonly ValveMove[]; readonly after: StepLimits }

export interface WavePlan {
  readonly steps: readonly PlanStep[]
  /** Maximum share of unanswered commands. */
  readonly maxUnansweredShare: number
}

export interface WaveOrder {
  readonly openings: Float64Array
  readonly headPa: number
  /** Measured flows before the round, kg/s; NaN without a reading. Without them only predicted flows count. */
  readonly meterKgS?: Float64Array | undefined
  readonly moves: readonly ValveMove[]
  readonly finalHeadPa: number
  readonly pump: PumpFreedom
  /** Number of waves in which valves close. */
  readonly closingWaves: number
  /** Consumers with cold rooms: no wave may leave them with less flow than now. */
  readonly cold?: ReadonlySet<number> | undefined
  /** How far moves may be from planned; without it they are as planned. */
  readonly doubt?: MoveDoubt | undefined
  /** Flows at some openings and a head, Pa; without it the flows of the model. */
  readonly solve?: ((openings: Float64Array, headPa: number) => LoopFlows) | undefined
}

/** Minimum flow as a share of the expected one. */
const MIN_FLOW_SHARE = 0.7
/** Relative error of a meter: a smaller loss of flow cannot be measured. */
const COLD_LOSS = 0.012
/** Relative error of a difference between two readings of a meter: three standard deviations of 1.2 %. */
const METER_ERROR = 3 * 0.012
/** Last digit of a meter, kg/s: 0.01 m³/h. */
const METER_DIGIT_KG_S = 0.0027
/** Allowed deviation of the station's head from the expected one. */
const HEAD_BAND = 0.3
/** Maximum share of commands without an answer. */
export const MAX_UNANSWERED = 0.03

/** Number of pipes between the source and each consumer. */
function depths({ network }: LoopModel): Int32Array {
  const { order, parent, pipeCount, circuitNode } = network
  const depth = new Int32Array(pipeCount + 1)
  for (const pipe of order) depth[pipe] = (depth[parent[pipe] ?? pipeCount] ?? 0) + 1
  return Int32Array.from(circuitNode, (node) => depth[node] ?? 0)
}

/** Flows of a consumer, kg/s: expected after a wave, the same if its valve does not open, and measured before. */
interface ConsumerFlows {
  readonly expectedKgS: number
  readonly stuckKgS: number
  readonly beforeKgS: number
}

/**
 * Flow below which a consumer starves, kg/s: less than 70 % of the expected flow, and less than before the round by more
 * than the error of its meter. A valve that does not open is no emergency, also if others that open take flow from it: it
 * is judged after the round.
 */
function minFlow({ expectedKgS, stuckKgS, beforeKgS }: ConsumerFlows): number {
  const starvedKgS = MIN_FLOW_SHARE * expectedKgS
  if (Number.isNaN(beforeKgS)) return starvedKgS
  const ifStuckKgS = Math.min(beforeKgS, Math.max(MIN_FLOW_SHARE * beforeKgS, stuckKgS))
  const errorKgS = Math.max(METER_ERROR * ifStuckKgS, METER_DIGIT_KG_S)
  return Math.min(starvedKgS, Math.max(0, ifStuckKgS - errorKgS))
}

/** Openings of a valve before and after a move, 0..1. */
interface OpeningChange {
  readonly to: number
  readonly from: number
}

/**
 * Flow of a consumer, kg/s, if its valve stays at `from` although `flowKgS` was expected at `to`. The head at the consumer is
 * taken as the same, so this is a lower bound.
 */
function flowAt(model: LoopModel, i: number, flowKgS: number, { to, from }: OpeningChange): number {
  const resistance = (opening: number): number =>
    (model.network.circuitResistance[i] ?? 0) + valveS(model, i, opening)
  return flowKgS * Math.sqrt(resistance(to) / resistance(from))
}

/** Splits moves into at most `parts` parts of nearly the same length. */
function cut(moves: readonly ValveMove[], parts: number): ValveMove[][] {
  const size = Math.ceil(moves.length / Math.max(1, parts))
  return Array.from({ length: Math.ceil(moves.length / Math.max(1, size)) }, (_, part) =>
    moves.slice(part * size, (part + 1) * size),
  )
}

type Wave = { readonly kind: 'open' | 'close'; readonly moves: readonly ValveMove[] }
type Stage = Wave | { readonly kind: 'pump'; readonly headPa: number }

/** Moves of a plan: those that open, and those that close, the far ones first. */
interface SortedMoves {
  readonly opening: readonly ValveMove[]
  readonly closing: readonly ValveMove[]
}

function sortMoves(model: LoopModel, { moves }: WaveOrder): SortedMoves {
  const depth = depths(model)
  return {
    opening: moves.filter(({ from, to }) => to > from),
    closing: moves
      .filter(({ from, to }) => to < from)
      .sort((one, other) => (depth[other.consumer] ?? 0) - (depth[one.consumer] ?? 0)),
  }
}

/** The usual order: a lower head first, then all valves that open, then those that close in waves, a higher head last. */
function usualStages(
  { headPa, finalHeadPa, pump, closingWaves }: WaveOrder,
  { opening, closing }: SortedMoves,
): Stage[] {
  const head: Stage[] = pump.kind === 'free' ? [{ kind: 'pump', headPa: finalHeadPa }] : []
  return [
    ...(finalHeadPa < headPa ? head : []),
    ...(opening.length > 0 ? [{ kind: 'open', moves: opening } as const] : []),
    ...cut(closing, closingWaves).map((moves): Stage => ({ kind: 'close', moves })),
    ...(finalHeadPa > headPa ? head : []),
  ]
}

/** Openings after some moves. */
function opened(openings: Float64Array, moves: readonly ValveMove[]): Float64Array {
  const after = openings.slice()
  for (const { consumer, to } of moves) after[consumer] = to
  return after
}

type Solve = (openings: Float64Array, headPa: number) => LoopFlows

/**
 * A check that each consumer with cold rooms has at least its flow before the plan, less the error of a meter, with the
 * moves so far as planned and at their worst.
 */
function watchCold(model: LoopModel, order: WaveOrder, solve: Solve) {
  const { cold: of = new Set<number>(), openings: from, headPa: presentPa, doubt } = order
  const now = of.size > 0 ? solve(from, presentPa).flowKgS : new Float64Array(0)
  return (to: Float64Array, headPa: number): boolean => {
    if (of.size === 0) return true
    const isEnough = (flow: number, i: number): boolean => flow >= (1 - COLD_LOSS) * (now[i] ?? 0)
    const planned = solve(to, headPa).flowKgS
    if (![...of].every((i) => isEnough(planned[i] ?? 0, i))) return false
    if (doubt === undefined) return true
    return isEnoughAtWorst(model, { from, to }, doubt, { of, isEnough, solve: (at) => solve(at, headPa) })
  }
}

/** The longest start of `moves` for which `holds`, by bisection: if it fails for some length, it must fail for all longer ones. */
function longestStart(moves: readonly ValveMove[], holds: (start: readonly ValveMove[]) => boolean) {
  if (holds(moves)) return moves
  let [low, high] = [0, Math.max(0, moves.length - 1)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(moves.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return moves.slice(0, low)
}

/**
 * The order that takes no flow from cold rooms on the way. As many valves open as leave cold rooms their flow; then a wave
 * of other consumers closes, which gives flow to cold rooms, so that more valves can open; and so on. A higher head is set
 * before valves of cold rooms close and before the last valves open, a lower head at the end. The last valves open without
 * a check: after them the loop is as planned, and the plan leaves cold rooms their flow.
 */
function carefulStages(
  order: WaveOrder,
  { opening, closing }: SortedMoves,
  isSafe: ReturnType<typeof watchCold>,
): Stage[] {
  const { cold = new Set(), finalHeadPa, pump, closingWaves } = order
  const isCold = ({ consumer }: ValveMove): boolean => cold.has(consumer)
  const isWarm = (move: ValveMove): boolean => !isCold(move)
  const stages: Stage[] = []
  let { openings, headPa } = order
  let left = [...opening.filter(isCold), ...opening.filter(isWarm)]
  const add = (kind: Wave['kind'], moves: readonly ValveMove[]): void => {
    if (moves.length === 0) return
    stages.push({ kind, moves })
    openings = opened(openings, moves)
  }
  const openSome = (): void => {
    const safe = longestStart(left, (start) => isSafe(opened(openings, start), headPa))
    add('open', safe)
    left = left.slice(safe.length)
  }
  const setHead = (): void => {
    if (pump.kind !== 'free') return
    headPa = finalHeadPa
    stages.push({ kind: 'pump', headPa })
  }
  const coldClosing = closing.filter(isCold)
  openSome()
  for (const moves of cut(closing.filter(isWarm), closingWaves - (coldClosing.length > 0 ? 1 : 0))) {
    add('close', moves)
    openSome()
  }
  if (finalHeadPa > headPa) setHead()
  add('close', coldClosing)
  add('open', left)
  if (finalHeadPa < headPa) setHead()
  return stages
}

/**
 * Steps of a campaign. In a tree, opening one valve takes flow from all others, and closing one gives flow to them
 * (Hällström, Agner, Pates). Therefore: first the lower of both heads; then all consumers with too little flow open;
 * then the others close in waves, the far ones first, so that each wave only gives flow to those that close later;
 * last the final head. Where this order would take flow from cold rooms for a while, valves open by parts, each after
 * the closings that it needs. The loop is predicted after every step, and the limits of the abort rule
 * (plan/find-abort.ts) follow from that. Worked examples: wave-plan.test.ts, wave-plan.property.test.ts.
 */
export function planWaves(model: LoopModel, order: WaveOrder): WavePlan {
  const { pump, meterKgS } = order
  const solve: Solve =
    order.solve ?? ((openings, headPa) => solveLoop(model, openings, sourceAt(pump, headPa)))
  const limitsOf = (flows: LoopFlows, openings: Float64Array): StepLimits => ({
    flowKgS: flows.flowKgS,
    headPa: flows.headPa,
    minFlowKgS: flows.flowKgS.map((expectedKgS, i) => {
      const [from, to] = [order.openings[i] ?? 0, openings[i] ?? 0]
      const beforeKgS = meterKgS?.[i] ?? Number.NaN
      const stuckKgS = to > from ? flowAt(model, i, expectedKgS, { to, from }) : beforeKgS
      return minFlow({ expectedKgS, stuckKgS, beforeKgS })
    }),
    minHeadPa: (1 - HEAD_BAND) * flows.headPa,
    maxHeadPa: (1 + HEAD_BAND) * flows.headPa,
  })
  const follow = (stages: readonly Stage[]): readonly (readonly [Stage, Float64Array, number])[] => {
    let { openings, headPa } = order
    return stages.map((stage) => {
      if (stage.kind === 'pump') headPa = stage.headPa
      else openings = opened(openings, stage.moves)
      return [stage, openings, headPa] as const
    })
  }
  const sorted = sortMoves(model, order)
  const usual = follow(usualStages(order, sorted))
  const isSafe = watchCold(model, order, solve)
  const chosen = usual.every(([, openings, headPa]) => isSafe(openings, headPa))
    ? usual
    : follow(carefulStages(order, sorted, isSafe))
  const steps = chosen.map(
    ([stage, openings, headPa]): PlanStep => ({
      ...stage,
      after: limitsOf(solve(openings, headPa), openings),
    }),
  )
  return { steps, maxUnansweredShare: MAX_UNANSWERED }
}

/** Plans the way from the steps that were started back to the openings and the head before them. */
export function planRollback(model: LoopModel, order: WaveOrder, done: readonly PlanStep[]): WavePlan {
  const doneMoves = done.flatMap((step) => (step.kind === 'pump' ? [] : step.moves))
  const openings = order.openings.slice()
  for (const { consumer, to } of doneMoves) openings[consumer] = to
  const last = done.findLast((step) => step.kind === 'pump')
  return planWaves(model, {
    ...order,
    openings,
    headPa: last?.kind === 'pump' ? last.headPa : order.headPa,
    finalHeadPa: order.headPa,
    moves: doneMoves.map(({ consumer, from, to }) => ({ consumer, from: to, to: from })).reverse(),
  })
}
