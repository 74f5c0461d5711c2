import { gini, quantile, shareWhere, weightedDeviation, weightedMean } from './statistics.ts'

/**
 * What indices are computed from, arrays by consumer except `roomC` (by room). NaN stands for "not known". All of one
 * window, so that they belong together.
 */
export interface BalanceSample {
  readonly areaM2: Float64Array
  /** Return temperature, and what it ought to be: the common target with the consumer's own offset, °C. */
  readonly returnC: Float64Array
  readonly targetReturnC: Float64Array
  /** Actual and required flow, kg/s. */
  readonly flowKgS: Float64Array
  readonly requiredKgS: Float64Array
  readonly heatW: Float64Array
  /** 0..1, and the least a valve may be opened. */
  readonly opening: Float64Array
  readonly leastOpening: number
  readonly roomC: Float64Array
  readonly station: {
    readonly headPa: number
    readonly pumpW: number
    readonly supplyC: number
    readonly returnC: number
  }
}

/** An index for the console: its formula in symbols, its unit, the key of its explanation, and where it comes from. */
export interface IndexMeaning {
  readonly unit: string
  readonly formula: string
  readonly textKey: string
  readonly source: string
}

const KPI = 'balancing KPI set'
const meaning = (name: string, unit: string, formula: string, source = KPI): IndexMeaning => ({
  unit,
  formula,
  textKey: `balancing.index.${name}`,
  source,
})

/** Every index that `computeIndices` answers, in the order in which a page shows them. */
export const indexMeanings = {
  sigmaReturnK: meaning('sigmaReturnK', 'K', 'σ = √(Σ Aᵢ·(eᵢ − ē)²/Σ Aᵢ), eᵢ = T_r,i − T*_r,i'),
  spreadReturnK: meaning('spreadReturnK', 'K', 'P95(eᵢ) − P5(eᵢ)'),
  withinOneK: meaning('withinOneK', '%', 'share of i with |eᵢ − ē| ≤ 1 K'),
  withinHalfK: meaning('withinHalfK', '%', 'share of i with |eᵢ − ē| ≤ 0.5 K'),
  sigmaRoomK: meaning('sigmaRoomK', 'K', 'σ = √(Σ (T_j − T̄)²/n)'),
  under18: meaning('under18', '%', 'share of rooms with T_j < 18 °C', 'heating ordinances: 18 °C'),
  over22: meaning('over22', '%', 'share of rooms with T_j > 22 °C'),
  over24: meaning('over24', '%', 'share of rooms with T_j > 24 °C'),
  leastImbalance: meaning('leastImbalance', '1', 'min xᵢ, xᵢ = ṁᵢ/ṁ*ᵢ', 'hydraulic imbalance degree'),
  greatestImbalance: meaning('greatestImbalance', '1', 'max xᵢ, xᵢ = ṁᵢ/ṁ*ᵢ', 'hydraulic imbalance degree'),
  balanceDegreePass: meaning(
    'balanceDegreePass',
    '%',
    'share of i with 0.9 ≤ xᵢ·Σṁ*/Σṁ ≤ 1.2',
    'JGJ/T 132-2009, GB 50411-2019',
  ),
  flowBalance: meaning('flowBalance', '1', '1 − G(xᵢ), G Gini coefficient', 'Buildings 2026, 16(5) 1068'),
  heatIntensityVariation: meaning('heatIntensityVariation', '%', 'σ(qᵢ)/q̄, qᵢ = Qᵢ/Aᵢ'),
  hydraulicStability: meaning(
    'hydraulicStability',
    '1',
    'y = √(Δp_user/H) of the median consumer',
    'ratio of required to greatest flow',
  ),
  totalFlowKgS: meaning('totalFlowKgS', 'kg/s', 'ΣG = Σṁᵢ'),
  dropK: meaning('dropK', 'K', 'ΔT = T_s − T_r at the station'),
  headPa: meaning('headPa', 'Pa', 'H at the station'),
  pumpW: meaning('pumpW', 'W', 'P = H·ΣG/(ρ·η)'),
  pumpMonthKWhM2: meaning(
    'pumpMonthKWhM2',
    'kWh/m²',
    'P·730 h/ΣA',
    'benchmark 0.29, Energy & Buildings 2020',
  ),
  saturatedShare: meaning('saturatedShare', '%', 'share of valves with u ≥ 0.98 or u ≤ u_min'),
  notMeasuredShare: meaning('notMeasuredShare', '%', 'share of consumers without a return temperature'),
} as const satisfies Record<string, IndexMeaning>

export type IndexName = keyof typeof indexMeanings
/** An index is undefined where nothing it needs is known. Shares are 0..1. */
export type BalanceIndices = Readonly<Record<IndexName, number | undefined>>

/** From this opening on a valve counts as fully open. */
const OPEN = 0.98
const HOURS_A_MONTH = 730

const divide = (over: ArrayLike<number>, under: ArrayLike<number>): Float64Array =>
  Float64Array.from(over, (value, index) => {
    const by = under[index] ?? Number.NaN
    return by > 0 ? value / by : Number.NaN
  })

const total = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)

/** Head at each consumer over head at the source is given as `headShare` where a network model knows it. */
export function computeIndices(sample: BalanceSample, headShare?: Float64Array): BalanceIndices {
  const { areaM2, returnC, targetReturnC, roomC, station } = sample
  const error = Float64Array.from(returnC, (value, index) => value - (targetReturnC[index] ?? Number.NaN))
  const middle = weightedMean(error, areaM2) ?? Number.NaN
  const share = (limit: number) => shareWhere(error, (value) => Math.abs(value - middle) <= limit)
  const [p5, p95] = [quantile(error, 0.05), quantile(error, 0.95)]
  const ratio = divide(sample.flowKgS, sample.requiredKgS)
  const sorted = ratio.filter((value) => !Number.isNaN(value)).sort()
  const intensity = divide(sample.heatW, areaM2)
  const meanIntensity = weightedMean(intensity)
  const totalFlow = total(sample.flowKgS)
  const totalArea = total(areaM2)
  // A station whose total is too large or small has no balance degree of its own: measured at 100 % of design.
  const totalRatio = weightedMean(ratio, sample.requiredKgS)
  const stability = headShare === undefined ? undefined : quantile(headShare, 0.5)
  return {
    sigmaReturnK: weightedDeviation(error, areaM2),
    spreadReturnK: p5 === undefined || p95 === undefined ? undefined : p95 - p5,
    withinOneK: share(1),
    withinHalfK: share(0.5),
    sigmaRoomK: weightedDeviation(roomC),
    under18: shareWhere(roomC, (value) => value < 18),
    over22: shareWhere(roomC, (value) => value > 22),
    over24: shareWhere(roomC, (value) => value > 24),
    leastImbalance: sorted.at(0),
    greatestImbalance: sorted.at(-1),
    balanceDegreePass:
      totalRatio === undefined
        ? undefined
        : shareWhere(ratio, (value) => value >= 0.9 * totalRatio && value <= 1.2 * totalRatio),
    flowBalance: complement(gini(ratio)),
    heatIntensityVariation:
      meanIntensity === undefined ? undefined : (weightedDeviation(intensity) ?? 0) / meanIntensity,
    hydraulicStability: stability === undefined ? undefined : Math.sqrt(stability),
    totalFlowKgS: totalFlow,
    dropK: station.supplyC - station.returnC,
    headPa: station.headPa,
    pumpW: station.pumpW,
    pumpMonthKWhM2: totalArea > 0 ? (station.pumpW * HOURS_A_MONTH) / 1000 / totalArea : undefined,
    saturatedShare: shareWhere(sample.opening, (u) => u >= OPEN || u <= sample.leastOpening),
    notMeasuredShare: returnC.length === 0 ? undefined : 1 - knownShare(returnC),
  }
}

const complement = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : 1 - value

const knownShare = (values: Float64Array): number =>
  values.filter((value) => !Number.isNaN(value)).length / values.length
