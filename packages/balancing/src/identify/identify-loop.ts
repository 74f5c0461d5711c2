import {
  type LoopModel,
  pathLosses,
  scaleCircuits,
  scalePipes,
  sumFlows,
  valveS,
} from '../loop/loop-model.ts'
import { bendValve } from '../loop/valve-curve.ts'
import { addOuter, dot, invertDefinite, multiply } from '../numeric/dense-matrix.ts'
import type { HydraulicSnapshot } from './identify-snapshot.ts'
import { estimateMains, type PathEvidence, sigmaOf } from './mains-estimate.ts'

/**
 * Prior uncertainty: standard deviations of the logarithms of factors on recorded values, and errors of measured
 * flows and heads.
 */
export interface IdentificationPrior {
  /** One value for all pipes, or one for each pipe. */
  readonly mains: number | Float64Array
  readonly circuit: number
  readonly kvs: number
  readonly rangeability: number
  /** Relative error of each consumer's flow. */
  readonly flow: Float64Array
  readonly headPa: number
}

export const USUAL_PRIOR = { mains: 0.4, circuit: 0.6, kvs: 0.15, rangeability: 0.25 } as const

/**
 * Logarithm of a parameter's factor on its record: 0 means as recorded. It counts as identified when the data have
 * narrowed it clearly.
 */
export interface Estimate {
  readonly value: number
  readonly sigma: number
  readonly isIdentified: boolean
}

export interface LoopIdentification {
  readonly model: LoopModel
  /** Factor on the resistance of each pipe; not a logarithm. */
  readonly mains: readonly Estimate[]
  /** Arrays by consumer. `slope` is added to ln R. */
  readonly circuit: readonly Estimate[]
  readonly kvs: readonly Estimate[]
  readonly slope: readonly Estimate[]
}

/** A posterior wider than this share of its prior counts as not identified. */
const NARROWED = 0.8
const ROUNDS = 5
const MIN_FACTOR = 0.1
const MAX_LOG = 2.5

/**
 * Parameters of one consumer (ln β, ln Kvs, ln R relative to the records) and their effect on the snapshots.
 */
interface Local {
  readonly consumer: number
  readonly node: number
  readonly prior: Float64Array
  values: Float64Array
}

/**
 * Head loss of the consumer's circuit and valve in each snapshot, Pa, and its derivatives by the three parameters.
 */
function ownLoss(model: LoopModel, local: Local, snapshots: readonly HydraulicSnapshot[]) {
  const [beta = 0, kvs = 0, slope = 0] = local.values
  const loss = new Float64Array(snapshots.length)
  const jacobian = [0, 1, 2].map(() => new Float64Array(snapshots.length))
  snapshots.forEach(({ flowKgS, openings }, k) => {
    const u = openings[local.consumer] ?? 0
    const square = (flowKgS[local.consumer] ?? 0) ** 2
    const circuit = (model.network.circuitResistance[local.consumer] ?? 0) * Math.exp(beta) * square
    const valve = valveS(model, local.consumer, u) * Math.exp(-2 * (kvs + slope * (u - 1))) * square
    loss[k] = circuit + valve
    const byParameter = [circuit, -2 * valve, -2 * (u - 1) * valve]
    byParameter.forEach((value, p) => {
      const row = jacobian[p]
      if (row !== undefined) row[k] = value
    })
  })
  return { loss, jacobian }
}

/** Evidence of a consumer about the path loss at its node, with its own parameters integrated out. */
function evidenceOf(
  model: LoopModel,
  local: Local,
  snapshots: readonly HydraulicSnapshot[],
  flowSigma: number,
): { evidence: PathEvidence; jacobian: readonly Float64Array[] } {
  const { loss, jacobian } = ownLoss(model, local, snapshots)
  const size = snapshots.length
  const covariance = new Float64Array(size * size)
  const mean = Float64Array.from(snapshots, ({ headPa }, k) => headPa - (loss[k] ?? 0))
  for (let k = 0; k < size; k++) covariance[k * size + k] = (2 * flowSigma * (loss[k] ?? 0)) ** 2 + 1
  jacobian.forEach((row, p) => {
    addOuter(covariance, (local.prior[p] ?? 0) ** 2, row, row)
    for (let k = 0; k < size; k++) mean[k] = (mean[k] ?? 0) + (row[k] ?? 0) * (local.values[p] ?? 0)
  })
  const precision = invertDefinite(covariance, size)
  return { evidence: { node: local.node, mean, precision }, jacobian }
}

/**
 * Updates a consumer's parameters for a given path loss at its node. Writes `values` and returns their standard
 * deviations.
 */
function updateLocal(
  local: Local,
  { evidence, jacobian }: ReturnType<typeof evidenceOf>,
  path: Float64Array,
  spread: Float64Array,
): number[] {
  const { mean, precision } = evidence
  const miss = multiply(
    precision,
    mean.map((value, k) => value - (path[k] ?? 0)),
  )
  local.values = Float64Array.from(jacobian, (row, p) => {
    const value = (local.prior[p] ?? 0) ** 2 * dot(row, miss)
    return Math.min(MAX_LOG, Math.max(-MAX_LOG, value))
  })
  return jacobian.map((row, p) => {
    const variance = (local.prior[p] ?? 0) ** 2
    const gain = multiply(precision, row)
    const gained = dot(row, gain) - dot(gain, multiply(spread, gain))
    return Math.sqrt(Math.max(0, variance - variance ** 2 * gained))
  })
}

const toEstimate = (value: number, sigma: number, prior: number): Estimate => ({
  value,
  sigma,
  isIdentified: sigma < NARROWED * prior,
})

/**
 * Maximum a posteriori estimate of mains, circuits and valve curves from one or more snapshots and the records. Path
 * losses are linear in the factors of the mains, so only the three parameters of each consumer need Gauss–Newton
 * iterations. Each iteration solves the mains exactly on the tree (mains-estimate.ts) and every consumer separately.
 * A consumer that has no flow in some snapshot stays as recorded. One snapshot gives only the sum of mains, circuit
 * and valve; snapshots with other openings separate them. Source: OneStep, Bayesian identification. Worked example:
 * identify-loop.test.ts.
 */
export function identifyLoop(
  model: LoopModel,
  snapshots: readonly HydraulicSnapshot[],
  prior: IdentificationPrior,
  rounds = ROUNDS,
): LoopIdentification {
  const { network } = model
  const drops = dropsOf(model, snapshots)
  const locals = Array.from(
    { length: network.circuitCount },
    (_, consumer): Local => ({
      consumer,
      node: network.circuitNode[consumer] ?? network.pipeCount,
      prior: Float64Array.of(prior.circuit, prior.kvs, prior.rangeability),
      values: new Float64Array(3),
    }),
  )
  const known = locals.filter(({ consumer }) =>
    snapshots.every(({ flowKgS, openings }) => (flowKgS[consumer] ?? 0) > 0 && (openings[consumer] ?? 0) > 0),
  )
  const circuit = locals.map(() => toEstimate(0, prior.circuit, prior.circuit))
  const kvs = locals.map(() => toEstimate(0, prior.kvs, prior.kvs))
  const slope = locals.map(() => toEstimate(0, prior.rangeability, prior.rangeability))
  let estimate = estimateMains(network, drops, [], { factorSigma: prior.mains, headSigmaPa: prior.headPa })
  for (let round = 0; round < rounds; round++) {
    const evidences = known.map((local) =>
      evidenceOf(model, local, snapshots, prior.flow[local.consumer] ?? 0.05),
    )
    estimate = estimateMains(
      network,
      drops,
      evidences.map(({ evidence }) => evidence),
      { factorSigma: prior.mains, headSigmaPa: prior.headPa },
    )
    known.forEach((local, index) => {
      const own = evidences[index]
      const [path, spread] = [estimate.path[local.node], estimate.covariance[local.node]]
      if (own === undefined || path === undefined || spread === undefined) return
      const sigmas = updateLocal(local, own, path, spread)
      const at = local.consumer
      circuit[at] = toEstimate(local.values[0] ?? 0, sigmas[0] ?? 0, prior.circuit)
      kvs[at] = toEstimate(local.values[1] ?? 0, sigmas[1] ?? 0, prior.kvs)
      slope[at] = toEstimate(local.values[2] ?? 0, sigmas[2] ?? 0, prior.rangeability)
    })
  }
  const factor = estimate.factor.map((value) => Math.max(MIN_FACTOR, value))
  const valves = model.valves.map((valve, i) => bendValve(valve, kvs[i]?.value ?? 0, slope[i]?.value ?? 0))
  const scaled = scalePipes({ ...model, valves }, factor)
  return {
    model: scaleCircuits(
      scaled,
      Float64Array.from(circuit, ({ value }) => Math.exp(value)),
    ),
    mains: Array.from(factor, (value, pipe) => {
      const sigma = sigmaOf(prior.mains, pipe)
      return toEstimate(value, estimate.sigma[pipe] ?? sigma, sigma)
    }),
    circuit,
    kvs,
    slope,
  }
}

/** d = S·ṁ² of each pipe in each snapshot with the recorded resistance, Pa. */
function dropsOf({ network }: LoopModel, snapshots: readonly HydraulicSnapshot[]): Float64Array[] {
  const losses = snapshots.map(({ flowKgS }) => {
    const pipeFlow = sumFlows(network, flowKgS, new Float64Array(network.pipeCount))
    return pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  })
  return Array.from({ length: network.pipeCount }, (_, pipe) => {
    const up = network.parent[pipe] ?? network.pipeCount
    return Float64Array.from(losses, (loss) => (loss[pipe] ?? 0) - (loss[up] ?? 0))
  })
}
