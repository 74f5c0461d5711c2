import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { ValveMove } from './fewest-moves.ts'

/** Where the loop is expected to stand after a step, and what ends the campaign there. */
export interface StepLimits {
  /** Expected flows, kg/s, and head, Pa. */
  readonly flowKgS: Float64Array
  readonly headPa: number
  /** Less than this at any consumer ends it, kg/s. */
  readonly leastFlowKgS: Float64Array
  /** Head at the station outside of this ends it, Pa. */
  readonly leastHeadPa: number
  readonly mostHeadPa: number
}

export type PlanStep =
  | { readonly kind: 'pump'; readonly headPa: number; readonly after: StepLimits }
  | { readonly kind: 'open' | 'close'; readonly moves: readonly ValveMove[]; readonly after: StepLimits }

export interface WavePlan {
  readonly steps: readonly PlanStep[]
  /** More unanswered commands than this share end the campaign. */
  readonly mostUnanswered: number
}

export interface WaveOrder {
  readonly openings: Float64Array
  readonly headPa: number
  readonly moves: readonly ValveMove[]
  readonly finalHeadPa: number
  readonly pump: PumpFreedom
  /** In how many waves valves close. */
  readonly closingWaves: number
}

/** A consumer below this share of what was expected ends the campaign. */
const LEAST_FLOW_SHARE = 0.7
/** How far the station's head may be from what was expected. */
const HEAD_BAND = 0.3
/** Part of the commands that may go unanswered. */
export const MOST_UNANSWERED = 0.03

/** How many pipes lie between the source and each consumer. */
function depths({ network }: LoopModel): Int32Array {
  const { order, parent, pipeCount, circuitNode } = network
  const depth = new Int32Array(pipeCount + 1)
  for (const pipe of order) depth[pipe] = (depth[parent[pipe] ?? pipeCount] ?? 0) + 1
  return Int32Array.from(circuitNode, (node) => depth[node] ?? 0)
}

/** Cuts moves into parts of nearly the same length. */
function cut(moves: readonly ValveMove[], parts: number): ValveMove[][] {
  const size = Math.ceil(moves.length / Math.max(1, parts))
  return Array.from({ length: Math.ceil(moves.length / Math.max(1, size)) }, (_, part) =>
    moves.slice(part * size, (part + 1) * size),
  )
}

/**
 * The steps of a campaign. In a tree, opening one valve takes flow from all others and closing one gives them some
 * (Hällström, Agner, Pates), so: first the lower of both heads; then whoever starves opens; then the rich close, far ones
 * first, in waves, each of which only gives to those still to come; last the head that was solved for. After every step
 * the loop is predicted, and what may end the campaign follows from that. Worked example: wave-plan.test.ts.
 */
export function planWaves(model: LoopModel, order: WaveOrder): WavePlan {
  const { moves, pump, finalHeadPa } = order
  const openings = order.openings.slice()
  const depth = depths(model)
  const canSetHead = pump.kind === 'free'
  const lowHead = canSetHead ? Math.min(order.headPa, finalHeadPa) : order.headPa
  const predict = (headPa: number): StepLimits => {
    const flows = solveLoop(model, openings, sourceAt(pump, headPa))
    return {
      flowKgS: flows.flowKgS,
      headPa: flows.headPa,
      leastFlowKgS: flows.flowKgS.map((flow) => LEAST_FLOW_SHARE * flow),
      leastHeadPa: (1 - HEAD_BAND) * flows.headPa,
      mostHeadPa: (1 + HEAD_BAND) * flows.headPa,
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
  return { steps, mostUnanswered: MOST_UNANSWERED }
}

/** The way back to the openings and the head before: every step that was begun, in reverse. */
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
