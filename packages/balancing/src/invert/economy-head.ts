import { consumerS, type LoopModel } from '../loop/loop-model.ts'
import { FULLY_OPEN } from '../loop/valve-opening.ts'
import { findRoot } from '../numeric/find-root.ts'
import { solveMixed } from './fixed-flows.ts'
import type { InvertRequest } from './invert.ts'

/**
 * Distribution of a head: which consumers reach their target, and which take the flow through their open valve.
 */
export interface HeadShares {
  readonly headPa: number
  /** Factor on the targets of the consumers that are not short. */
  readonly scale: number
  readonly flowKgS: Float64Array
  /** Path loss by node, Pa; the source is last. */
  readonly path: Float64Array
  /** 1 for a movable consumer that stays below its target with its valve fully open. */
  readonly isShort: Uint8Array
}

/**
 * Maximum iterations between the set of short consumers and the path losses, and the tolerance of the factor.
 */
const SHARE_ROUNDS = 6
const FACTOR_TOLERANCE = 1e-4
/** The head is lowered to this share of the full requirement at most. */
const MIN_SHARE = 0.7
/** Relative tolerance of the head. */
const TOLERANCE = 2e-3

interface ShareOrder {
  readonly headPa: number
  readonly scale: number
  /** The targets of the other consumers rise so that the flows add up to this total, kg/s. */
  readonly totalKgS?: number
  /** Shares at a head near this one: the start of the search. */
  readonly near?: HeadShares | undefined
}

/**
 * Flows at a head: a movable consumer takes `scale` times its target, or the flow through its open valve if that is
 * less; a fixed consumer takes the flow at its opening.
 */
export function shareHead(
  model: LoopModel,
  request: InvertRequest,
  { headPa, scale, totalKgS, near }: ShareOrder,
): HeadShares {
  const { network } = model
  const { targetKgS, openings, isFixed } = request
  const ownS = targetKgS.map((_, i) =>
    consumerS(model, i, isFixed[i] === 1 ? (openings[i] ?? 0) : FULLY_OPEN),
  )
  let factor = near?.scale ?? scale
  let driven = isFixed.map((fixed, i) => (fixed === 1 || near?.isShort[i] === 1 ? 1 : 0))
  let given = targetKgS.map((target, i) =>
    driven[i] === 1 && near ? (near.flowKgS[i] ?? 0) : factor * target,
  )
  for (let round = 0; ; round++) {
    const { flowKgS, path } = solveMixed(model, given, driven, ownS, headPa)
    const isShort = isFixed.map((fixed, i) => {
      const left = headPa - (path[network.circuitNode[i] ?? network.pipeCount] ?? 0)
      return fixed !== 1 && (ownS[i] ?? 0) * (factor * (targetKgS[i] ?? 0)) ** 2 > left ? 1 : 0
    })
    const next = isShort.map((short, i) => (short === 1 || isFixed[i] === 1 ? 1 : 0))
    const [held, wanted] = sumsOf(flowKgS, targetKgS, next)
    const nextFactor = totalKgS === undefined || !(wanted > 0) ? scale : (totalKgS - held) / wanted
    const isSame = next.every((value, i) => value === driven[i])
    if ((isSame && Math.abs(nextFactor / factor - 1) < FACTOR_TOLERANCE) || round >= SHARE_ROUNDS)
      return { headPa, scale: factor, flowKgS, path, isShort }
    driven = next
    factor = nextFactor
    given = targetKgS.map((target, i) => (next[i] === 1 ? (flowKgS[i] ?? 0) : factor * target))
  }
}

/** Flow of the driven consumers, and the targets of all others, kg/s. */
function sumsOf(flowKgS: Float64Array, targetKgS: Float64Array, driven: Uint8Array): [number, number] {
  let held = 0
  let wanted = 0
  driven.forEach((isDriven, i) => {
    if (isDriven === 1) held += flowKgS[i] ?? 0
    else wanted += targetKgS[i] ?? 0
  })
  return [held, wanted]
}

/**
 * Root mean square of ln ṁ over the movable consumers, relative to each one's flow at the full head: the scaled
 * target, or its actual flow if it is starved there.
 */
function shortageOf(shares: HeadShares, served: HeadShares, { targetKgS, isFixed }: InvertRequest): number {
  let sum = 0
  let count = 0
  targetKgS.forEach((target, i) => {
    if (isFixed[i] === 1 || !(target > 0)) return
    count++
    const whole = served.isShort[i] === 1 ? (served.flowKgS[i] ?? 0) : shares.scale * target
    if (shares.isShort[i] === 1) sum += Math.log((shares.flowKgS[i] ?? 0) / whole) ** 2
  })
  return Math.sqrt(sum / Math.max(1, count))
}

/**
 * The lowest head at which the ends of the loop are short by no more than `request.shortRms`, with the same total
 * flow. Pump power falls with the head of all consumers, and the last part of the head serves only a few. A consumer
 * that is already short at `servedPa` does not justify pumping: only its further loss counts. Worked example:
 * economy-head.test.ts.
 */
export function findEconomyHead(
  model: LoopModel,
  request: InvertRequest,
  servedPa: number,
  scale: number,
): HeadShares {
  const totalKgS = scale * request.targetKgS.reduce((sum, target) => sum + target, 0)
  const served = shareHead(model, request, { headPa: servedPa, scale, totalKgS })
  let near = served
  const missing = (factor: number): number => {
    near = shareHead(model, request, { headPa: factor * servedPa, scale, totalKgS, near })
    return shortageOf(near, served, request) - request.shortRms
  }
  const factor = findRoot(MIN_SHARE, 1, TOLERANCE, missing)
  return shareHead(model, request, { headPa: factor * servedPa, scale, totalKgS, near })
}
