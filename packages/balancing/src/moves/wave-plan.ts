import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { type LoopModel, valveS } from '../loop/loop-model.ts'
import type { ValveMove } from './fewest-moves.ts'

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
}

/** Minimum flow as a share of the expected one. */
const MIN_FLOW_SHARE = 0.7
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
  const least = MIN_FLOW_SHARE * expectedKgS
  if (Number.isNaN(beforeKgS)) return least
  const now = Math.min(beforeKgS, Math.max(MIN_FLOW_SHARE * beforeKgS, stuckKgS))
  return Math.min(least, Math.max(0, now - Math.max(METER_ERROR * now, METER_DIGIT_KG_S)))
}

/** Openings, 0..1. */
interface OpeningChange {
  readonly to: number
  readonly from: number
}

/** Flow of a consumer, kg/s, if its valve stays at `from` instead of `to`, at the same head: a lower bound. */
function flowAt(model: LoopModel, i: number, flowKgS: number, { to, from }: OpeningChange): number {
  const resistance = (opening: number): number =>
    (model.network.circuitResistance[i] ?? 0) + valveS(model, i, opening)
  return flowKgS * Math.sqrt(resistance(to) / resistance(from))
}

/** Splits moves into parts of nearly the same length. */
function cut(moves: readonly ValveMove[], parts: number): ValveMove[][] {
  const size = Math.ceil(moves.length / Math.max(1, parts))
  return Array.from({ length: Math.ceil(moves.length / Math.max(1, size)) }, (_, part) =>
    moves.slice(part * size, (part + 1) * size),
  )
}

/**
 * Steps of a campaign. In a tree, opening one valve takes flow from all others, and closing one gives flow to them
 * (Hällström, Agner, Pates). Therefore: first the lower of both heads; then all consumers with too little flow open;
 * then the others close in waves, the far ones first, so that each wave only gives flow to those that close later;
 * last the final head. The loop is predicted after every step, and the limits of the abort rule (plan/find-abort.ts)
 * follow from that. Worked example: wave-plan.test.ts.
 */
export function planWaves(model: LoopModel, order: WaveOrder): WavePlan {
  const { moves, pump, finalHeadPa, meterKgS } = order
  const openings = order.openings.slice()
  const depth = depths(model)
  const canSetHead = pump.kind === 'free'
  const lowHead = canSetHead ? Math.min(order.headPa, finalHeadPa) : order.headPa
  const predict = (headPa: number): StepLimits => {
    const flows = solveLoop(model, openings, sourceAt(pump, headPa))
    return {
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
    }
  }
  const moveAll = (kind: 'open' | 'close', wave: readonly ValveMove[]): PlanStep => {
    for (const { consumer, to } of wave) openings[consumer] = to
    return { kind, moves: wave, after: predict(lowHead) }
  }
  const opening = moves.filter(({ from, to }) => to > from)
  const closing = moves
    .filter(({ from, to }) => to < from)
    .sort((one, other) => (depth[other.consumer] ?? 0) - (depth[one.consumer] ?? 0))
  const steps: PlanStep[] = []
  if (canSetHead && lowHead < order.headPa)
    steps.push({ kind: 'pump', headPa: lowHead, after: predict(lowHead) })
  if (opening.length > 0) steps.push(moveAll('open', opening))
  for (const wave of cut(closing, order.closingWaves)) steps.push(moveAll('close', wave))
  if (canSetHead && finalHeadPa > lowHead)
    steps.push({ kind: 'pump', headPa: finalHeadPa, after: predict(finalHeadPa) })
  return { steps, maxUnansweredShare: MAX_UNANSWERED }
}

/** Rollback to the openings and the head before: every started step in reverse. */
export function planRollback(model: LoopModel, order: WaveOrder, done: readonly PlanStep[]): WavePlan {
  const begun = done.flatMap((step) => (step.kind === 'pump' ? [] : step.moves))
  const openings = order.openings.slice()
  for (const { consumer, to } of begun) openings[consumer] = to
  const last = done.findLast((step) => step.kind === 'pump')
  return planWaves(model, {
    ...order,
    openings,
    headPa: last?.kind === 'pump' ? last.headPa : order.headPa,
    finalHeadPa: order.headPa,
    moves: begun.map(({ consumer, from, to }) => ({ consumer, from: to, to: from })).reverse(),
  })
}
