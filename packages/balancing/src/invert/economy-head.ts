import { consumerS, type LoopModel } from '../loop/loop-model.ts'
import { FULLY_OPEN } from '../loop/valve-opening.ts'
import { findRoot } from '../numeric/find-root.ts'
import { solveMixed } from './fixed-flows.ts'
import type { InvertRequest } from './invert.ts'

/** How a head is shared out: who gets its target, and who what comes through its open valve. */
export interface HeadShares {
  readonly headPa: number
  /** Factor on the targets of those who are not short. */
  readonly scale: number
  readonly flowKgS: Float64Array
  /** Path loss by node, Pa; the source last. */
  readonly path: Float64Array
  /** 1 for a movable consumer that stays below its target fully open. */
  readonly isShort: Uint8Array
}

/** Rounds in which who is short and the losses on the way there follow each other, and to which the factor settles. */
const SHARE_ROUNDS = 6
const FACTOR_TOLERANCE = 1e-4
/** The head is lowered to this share of what all need at most. */
const LEAST_SHARE = 0.7
/** To which the head is found, as a share. */
const TOLERANCE = 2e-3

interface ShareOrder {
  readonly headPa: number
  readonly scale: number
  /** With it the targets of the others rise until the flows add up to it. */
  readonly totalKgS?: number
  /** Shares at a head near this one, where the search begins. */
  readonly near?: HeadShares | undefined
}

/**
 * Flows at a head: movable consumers take `scale` times their targets, or what comes through the open valve where that is
 * less; fixed ones what comes.
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

/** Flow of the driven, and the targets of all others, kg/s. */
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
 * Root mean square, over all who can move, of ln ṁ beside what each has at the head that serves: its target as all others
 * have it, or, for who is starved there already, what it then gets.
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
 * The least head at which the ends of the loop are short by no more than `request.shortRms`, the total kept: power falls
 * with the head of all, and the last of it serves a few. Who is short at `servedPa` already is no reason to pump: it counts
 * by what it loses beyond that. Worked example: economy-head.test.ts.
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
  const factor = findRoot(LEAST_SHARE, 1, TOLERANCE, missing)
  return shareHead(model, request, { headPa: factor * servedPa, scale, totalKgS, near })
}
