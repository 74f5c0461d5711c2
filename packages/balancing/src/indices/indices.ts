import { gini, quantile, shareWhere, weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import type { CampaignIndexName, IndexName } from './index-meanings.ts'

/**
 * Input of the indices, all from the same time window. Arrays by consumer, except `roomC` by room. NaN means "not
 * known".
 */
export interface BalanceSample {
  readonly areaM2: Float64Array
  /** Return and supply temperature, and the target of the return: the common target plus the consumer's own offset, °C. */
  readonly returnC: Float64Array
  readonly supplyC: Float64Array
  readonly targetReturnC: Float64Array
  /** Actual and required flow, kg/s. */
  readonly flowKgS: Float64Array
  readonly requiredKgS: Float64Array
  readonly heatW: Float64Array
  /** Opening 0..1, and the minimum opening of a valve. */
  readonly opening: Float64Array
  readonly minOpening: number
  /**
   * Head loss of the path to each consumer, and of each whole circuit at its required flow, Pa (`findLosses`).
   */
  readonly pathPa: Float64Array
  readonly loopPa: Float64Array
  /**
   * Moves of each valve, and its travel in full strokes, in the last `days`; 0 days if they belong to one balance.
   */
  readonly moves: Float64Array
  readonly travel: Float64Array
  readonly days: number
  /** 1 for a consumer that is excluded from balancing: held, broken, without sensors. */
  readonly isExcluded: Uint8Array
  readonly roomC: Float64Array
  readonly outdoorC: number
  readonly station: {
    readonly headPa: number
    readonly pumpW: number
    readonly supplyC: number
    readonly returnC: number
  }
}

/** An index is undefined if none of its inputs is known. Shares are 0..1. */
export type BalanceIndices = Readonly<Record<Exclude<IndexName, CampaignIndexName>, number | undefined>>

/** From this opening a valve counts as fully open. */
const OPEN = 0.98
const HOURS_A_MONTH = 730

const divide = (over: ArrayLike<number>, under: ArrayLike<number>): Float64Array =>
  Float64Array.from(over, (value, index) => {
    const by = under[index] ?? Number.NaN
    return by > 0 ? value / by : Number.NaN
  })

const total = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)

/**
 * Indices that need a network model: difference between losses of parallel circuits, and stability of flows.
 */
function hydraulicIndices({ pathPa, loopPa, station }: BalanceSample) {
  const mean = weightedMean(loopPa)
  const left = quantile(
    pathPa.map((path) => 1 - path / station.headPa),
    0.5,
  )
  return {
    loopPressureDifference:
      mean === undefined
        ? undefined
        : quantile(
            loopPa.map((loss) => Math.abs(loss - mean) / mean),
            1,
          ),
    hydraulicStability: left === undefined || left < 0 ? undefined : Math.sqrt(left),
  }
}

/** Moves and travel of each valve. */
function actuationIndices({ moves, travel, days, isExcluded }: BalanceSample) {
  const mean = weightedMean(moves)
  return {
    movesPerValve: mean,
    movesPerValveDay: mean === undefined || !(days > 0) ? undefined : mean / days,
    travelPerValve: weightedMean(travel),
    excludedShare: shareWhere(Float64Array.from(isExcluded), (value) => value === 1),
  }
}

/**
 * Indices of return temperatures alone: how far each is from its target, compared with the others. The target is a common
 * one plus the consumer's own offset; the common part cancels. Worked example: indices.test.ts.
 */
export function computeReturnIndices({
  areaM2,
  returnC,
  targetReturnC,
}: Pick<BalanceSample, 'areaM2' | 'returnC' | 'targetReturnC'>) {
  const error = Float64Array.from(returnC, (value, index) => value - (targetReturnC[index] ?? Number.NaN))
  const middle = weightedMean(error, areaM2) ?? Number.NaN
  const share = (limit: number) => shareWhere(error, (value) => Math.abs(value - middle) <= limit)
  const [p5, p95] = [quantile(error, 0.05), quantile(error, 0.95)]
  return {
    sigmaReturnK: weightedDeviation(error, areaM2),
    spreadReturnK: p5 === undefined || p95 === undefined ? undefined : p95 - p5,
    withinOneK: share(1),
    withinHalfK: share(0.5),
  }
}

/** All indices of a sample. Worked examples: indices.test.ts. */
export function computeIndices(sample: BalanceSample): BalanceIndices {
  const { areaM2, returnC, supplyC, roomC, station } = sample
  const ratio = divide(sample.flowKgS, sample.requiredKgS)
  const sorted = ratio.filter((value) => !Number.isNaN(value)).sort()
  const ofReturns = computeReturnIndices(sample)
  const dropC = returnC.map((value, index) => (supplyC[index] ?? Number.NaN) - value)
  const intensity = divide(sample.heatW, areaM2)
  const meanIntensity = weightedMean(intensity)
  const totalFlow = total(sample.flowKgS)
  const totalArea = total(areaM2)
  // If the total flow is far from its target, the balance degree is computed relative to the total.
  const totalRatio = weightedMean(ratio, sample.requiredKgS)
  const heatWM2 = weightedMean(intensity, areaM2)
  const warmerK = (weightedMean(roomC) ?? Number.NaN) - sample.outdoorC
  return {
    ...ofReturns,
    sigmaReturnPerDrop: perDrop(ofReturns.sigmaReturnK, weightedMean(dropC, areaM2)),
    sigmaRoomK: weightedDeviation(roomC),
    under18: shareWhere(roomC, (value) => value < 18),
    over22: shareWhere(roomC, (value) => value > 22),
    over24: shareWhere(roomC, (value) => value > 24),
    minImbalance: sorted.at(0),
    maxImbalance: sorted.at(-1),
    balanceDegreePass:
      totalRatio === undefined
        ? undefined
        : shareWhere(ratio, (value) => value >= 0.9 * totalRatio && value <= 1.2 * totalRatio),
    flowBalance: complement(gini(ratio)),
    heatIntensityVariation:
      meanIntensity === undefined ? undefined : (weightedDeviation(intensity) ?? 0) / meanIntensity,
    heatWM2,
    heatWM2K: heatWM2 === undefined || !(warmerK > 0) ? undefined : heatWM2 / warmerK,
    ...hydraulicIndices(sample),
    ...actuationIndices(sample),
    totalFlowKgS: totalFlow,
    dropK: station.supplyC - station.returnC,
    headPa: station.headPa,
    pumpW: station.pumpW,
    pumpMonthKWhM2: totalArea > 0 ? (station.pumpW * HOURS_A_MONTH) / 1000 / totalArea : undefined,
    saturatedShare: shareWhere(sample.opening, (u) => u >= OPEN || u <= sample.minOpening),
    notMeasuredShare: returnC.length === 0 ? undefined : 1 - knownShare(returnC),
  }
}

const perDrop = (sigmaK: number | undefined, dropK: number | undefined): number | undefined =>
  sigmaK === undefined || dropK === undefined || !(dropK > 0) ? undefined : sigmaK / dropK

const complement = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : 1 - value

const knownShare = (values: Float64Array): number =>
  values.filter((value) => !Number.isNaN(value)).length / values.length

/**
 * Number of consumers with a flow ratio x = ṁ/ṁ* below the first bound, between each two bounds, and above the last.
 */
export function countByRatio(ratio: ArrayLike<number>, bounds: readonly number[]): number[] {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  for (const value of Array.from(ratio).filter((each) => !Number.isNaN(each))) {
    const place = bounds.findIndex((bound) => value < bound)
    const at = place < 0 ? bounds.length : place
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts
}

/** Time from the first instant until a spread stays below its limit, s; undefined if it does not. */
export function timeToBalance(
  spreads: readonly { readonly atS: number; readonly sigmaK: number }[],
  limitK: number,
): number | undefined {
  const last = spreads.findLastIndex(({ sigmaK }) => !(sigmaK < limitK))
  const [first, settled] = [spreads[0], spreads[last + 1]]
  return first === undefined || settled === undefined ? undefined : settled.atS - first.atS
}
