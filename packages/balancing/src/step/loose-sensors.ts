import type { Random } from '@isotherm/kernel/random'
import { sum, weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import type { FlowKnowledge, LoopReadings } from '../records/loop-records.ts'
import { flowSigma } from './step-flows.ts'

/** How far each return thermometer of a sampled site shows too little, K, by consumer: 0 for a sound one. */
type LooseSampler = (index: number) => Float64Array

export interface LooseOrder {
  readonly readings: Pick<LoopReadings, 'supplyC' | 'returnC' | 'stationSupplyC' | 'stationReturnC'>
  /** Reconciled present flows, kg/s, and where they come from. */
  readonly flowKgS: Float64Array
  readonly flows: FlowKnowledge
  readonly random: Random
  /** Number of samples. */
  readonly count: number
}

/** Prior probability that a site has loose thermometers at all, and the mean share of them at such a site. */
const PRIOR = { any: 0.1, share: 0.1 } as const
/**
 * Parts of the difference between pipe and cellar by which a loose thermometer shows too little: 1 to 4 K at a return of 37 °C.
 */
const PARTS = [0.05, 0.1, 0.15] as const
const CELLAR_C = 15
/** A return stays below its supply: largest share of the shown drop that may be missing. */
const MAX_DROP_SHARE = 0.8
/** Temperature of the ground around pipes in winter. */
const GROUND_C = 5
/** Error of a mean return by the station: its two thermometers, and water that is on its way while the supply changes, K. */
const STATION_K = 0.15
/** Usual share of the flow in by-passes, which warm the return of the station, and its standard deviation. */
const BYPASS_SHARE = 0.01
/**
 * Usual spread of returns without a balance, K. Consumers that report nothing keep it, because no balance has moved their valves.
 */
const UNSEEN_SPREAD_K = 2
/** Share of stations whose own return thermometer is wrong, and its error, K. */
const WRONG_STATION = { share: 0.1, sigmaK: 3 } as const
/** Sites that are drawn before the station's return weighs them. */
const DRAWS = 1_000

const density = (miss: number, sigma: number): number => Math.exp(-((miss / sigma) ** 2) / 2) / sigma

/** What the thermometers of consumers show too little in the mean by flow, K, and the error of that. */
interface MeanBias {
  readonly meanK: number
  readonly sigmaK: number
}

/**
 * Water arrives at the station as warm as it leaves the consumers, less the loss of the return pipes. That is the loss of the supply
 * pipes, times the ratio of the differences to the ground. Undefined without the temperatures of the station.
 */
function findMeanBias({ readings, flowKgS, flows }: LooseOrder): MeanBias | undefined {
  const { supplyC, returnC, stationSupplyC = Number.NaN, stationReturnC = Number.NaN } = readings
  const [supply, back] = [weightedMean(supplyC, flowKgS), weightedMean(returnC, flowKgS)]
  if (supply === undefined || back === undefined) return undefined
  const lossK = (Math.max(0, stationSupplyC - supply) * (back - GROUND_C)) / (supply - GROUND_C)
  const bypassK = BYPASS_SHARE * (supply - back)
  const spreadK = weightedDeviation(returnC, flowKgS) ?? 0
  const isMissing = returnC.map((value) => (Number.isNaN(value) ? 1 : 0))
  const missingShare = sum(flowKgS.map((flow, i) => flow * (isMissing[i] ?? 0))) / sum(flowKgS)
  const unseenK = Math.max(spreadK, UNSEEN_SPREAD_K)
  // Consumers with more flow have warmer returns: the mean by flow is above the mean of all, by σ²/(dT_r/d ln ṁ).
  const warmerK = (missingShare * unseenK ** 2) / (supply - back)
  const meanK = (stationReturnC + lossK - bypassK - warmerK - back) / (1 - missingShare)
  if (!Number.isFinite(meanK)) return undefined
  // Errors of flows from temperatures are no chance: a return that is too cold for its emitter means too little flow.
  const flowK = flowSigma(flows) * spreadK
  const missingK = (missingShare * unseenK) / Math.sqrt(Math.max(1, sum(isMissing)))
  const sigmaK = Math.hypot(STATION_K, bypassK, flowK, missingK, warmerK) / (1 - missingShare)
  return { meanK, sigmaK }
}

/** Index of a weight at a share 0..1 of the sum of all. */
function pick(weights: readonly number[], share: number): number {
  let left = share * sum(weights)
  return weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
}

/**
 * Samples sites whose return thermometers may be loose, so that they show a part of the cellar. One reading of a consumer cannot
 * show that, but the return of the station shows the mean of all: sites are drawn from the prior and weighed by it (sampling
 * importance resampling). Undefined without the temperatures of the station. Worked example: loose-sensors.test.ts.
 */
export function createLooseSampler(order: LooseOrder): LooseSampler | undefined {
  const { readings, flowKgS, random, count } = order
  const shown = findMeanBias(order)
  if (shown === undefined) return undefined
  const { supplyC, returnC } = readings
  const sound = new Float64Array(returnC.length)
  const biasOf = (i: number, part: number): number => {
    const [supply, back] = [supplyC[i] ?? Number.NaN, returnC[i] ?? Number.NaN]
    const biasK = (part / (1 - part)) * Math.max(0, back - CELLAR_C)
    return Number.isNaN(supply) ? biasK : Math.min(biasK, Math.max(0, MAX_DROP_SHARE * (supply - back)))
  }
  const drawSite = (): Float64Array => {
    if (random() >= PRIOR.any) return sound
    const share = Math.min(1, -PRIOR.share * Math.log(1 - random()))
    return returnC.map((value, i) => {
      if (Number.isNaN(value) || random() >= share) return 0
      return biasOf(i, PARTS[Math.floor(random() * PARTS.length)] ?? 0)
    })
  }
  const sites = Array.from({ length: DRAWS }, drawSite)
  const knownKgS = flowKgS.map((flow, i) => (Number.isNaN(returnC[i] ?? Number.NaN) ? 0 : flow))
  const weights = sites.map((biasK) => {
    const missK = shown.meanK - (weightedMean(biasK, knownKgS) ?? 0)
    const wrongK = Math.hypot(shown.sigmaK, WRONG_STATION.sigmaK)
    return (
      (1 - WRONG_STATION.share) * density(missK, shown.sigmaK) + WRONG_STATION.share * density(missK, wrongK)
    )
  })
  const drawn = Array.from({ length: count }, (_, index) => sites[pick(weights, (index + 0.5) / count)])
  return (index) => drawn[index] ?? sound
}
