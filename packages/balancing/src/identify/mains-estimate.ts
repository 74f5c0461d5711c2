import type { TreeNetwork } from '@isotherm/hydraulics/tree/tree-network'
import { addOuter, addScaled, dot, invertDefinite, multiply } from '../numeric/dense-matrix.ts'

/**
 * Evidence of one consumer about the path loss at its node, one number for each snapshot, Pa: mean and precision
 * (inverse covariance).
 */
export interface PathEvidence {
  readonly node: number
  readonly mean: Float64Array
  readonly precision: Float64Array
}

/**
 * Estimate of each pipe's factor on its recorded resistance, and of the path loss at each node (the source is last).
 */
export interface MainsEstimate {
  readonly factor: Float64Array
  readonly sigma: Float64Array
  readonly path: readonly Float64Array[]
  readonly covariance: readonly Float64Array[]
}

export interface MainsPrior {
  /** Standard deviation of the factors around 1: one value for all pipes, or one for each pipe. */
  readonly factorSigma: number | Float64Array
  /** Standard deviation of the head at the source, Pa. */
  readonly headSigmaPa: number
}

/** Standard deviation of one pipe's factor. */
export const sigmaOf = (sigma: MainsPrior['factorSigma'], pipe: number): number =>
  typeof sigma === 'number' ? sigma : (sigma[pipe] ?? 0)

/** Evidence from everything below a node about its path loss: precision·x and precision. */
interface Message {
  readonly weighted: Float64Array
  readonly precision: Float64Array
}

/**
 * Most likely factors of all pipes with their standard deviations. The path loss at a node, as a vector over
 * snapshots, is the loss at its parent plus α·d, with d = S·ṁ² as recorded and α around 1. These are Gaussian
 * estimates on a tree. One sweep from the far ends (a rank-one update for each pipe) and one sweep back therefore
 * solve the normal equations exactly, in O(N·K²). `drops` has d of each pipe. Worked example: mains-estimate.test.ts.
 */
export function estimateMains(
  network: TreeNetwork,
  drops: readonly Float64Array[],
  evidence: readonly PathEvidence[],
  { factorSigma, headSigmaPa }: MainsPrior,
): MainsEstimate {
  const { order, parent, pipeCount } = network
  const size = drops[0]?.length ?? evidence[0]?.mean.length ?? 0
  const at: Message[] = Array.from({ length: pipeCount + 1 }, () => ({
    weighted: new Float64Array(size),
    precision: new Float64Array(size * size),
  }))
  for (const { node, mean, precision } of evidence) {
    const message = at[node]
    if (message === undefined) continue
    addScaled(message.precision, 1, precision)
    addScaled(message.weighted, 1, multiply(precision, mean))
  }
  const gain: Float64Array[] = []
  const variance = new Float64Array(pipeCount)
  for (let k = pipeCount - 1; k >= 0; k--) {
    const pipe = order[k] ?? 0
    const [below, above, drop] = [at[pipe], at[parent[pipe] ?? pipeCount], drops[pipe]]
    if (below === undefined || above === undefined || drop === undefined) continue
    const pull = multiply(below.precision, drop)
    const own = 1 / (1 / sigmaOf(factorSigma, pipe) ** 2 + dot(drop, pull))
    variance[pipe] = own
    gain[pipe] = pull.map((value) => own * value)
    const precision = below.precision.slice()
    addOuter(precision, -own, pull, pull)
    const weighted = below.weighted.slice()
    addScaled(weighted, -own * dot(drop, below.weighted), pull)
    addScaled(weighted, -1, multiply(precision, drop))
    addScaled(above.precision, 1, precision)
    addScaled(above.weighted, 1, weighted)
  }
  return sweepBack(network, drops, { at, gain, variance }, size, headSigmaPa)
}

/** From the source outwards: path losses, then each pipe's factor given the path above it. */
function sweepBack(
  network: TreeNetwork,
  drops: readonly Float64Array[],
  { at, gain, variance }: { at: readonly Message[]; gain: readonly Float64Array[]; variance: Float64Array },
  size: number,
  headSigmaPa: number,
): MainsEstimate {
  const { order, parent, pipeCount } = network
  const path: Float64Array[] = []
  const covariance: Float64Array[] = []
  const factor = new Float64Array(pipeCount).fill(1)
  const sigma = new Float64Array(pipeCount)
  const root = at[pipeCount]
  const precision = root?.precision.slice() ?? new Float64Array(size * size)
  for (let k = 0; k < size; k++)
    precision[k * size + k] = (precision[k * size + k] ?? 0) + 1 / headSigmaPa ** 2
  covariance[pipeCount] = invertDefinite(precision, size)
  path[pipeCount] = multiply(covariance[pipeCount], root?.weighted ?? new Float64Array(size))
  for (const pipe of order) {
    const up = parent[pipe] ?? pipeCount
    const [message, drop, pull] = [at[pipe], drops[pipe], gain[pipe]]
    const [above, around] = [path[up], covariance[up]]
    if (message === undefined || drop === undefined || pull === undefined) continue
    if (above === undefined || around === undefined) continue
    const here = above.slice()
    addScaled(here, 1, drop)
    const miss = message.weighted.slice()
    addScaled(miss, -1, multiply(message.precision, here))
    const own = variance[pipe] ?? 0
    const change = own * dot(drop, miss)
    factor[pipe] = 1 + change
    const carried = multiply(around, pull)
    sigma[pipe] = Math.sqrt(own + dot(pull, carried))
    addScaled(here, change, drop)
    path[pipe] = here
    // (1 − d·gᵀ)·P·(1 − d·gᵀ)ᵀ + own·d·dᵀ
    const spread = around.slice()
    addOuter(spread, -1, drop, carried)
    addOuter(spread, -1, carried, drop)
    addOuter(spread, own + dot(pull, carried), drop, drop)
    covariance[pipe] = spread
  }
  return { factor, sigma, path, covariance }
}
