import { weightedMean } from '@isotherm/kernel/statistics'
import { believeLinear, type CoefficientPrior } from '../numeric/linear-estimate.ts'

/** How rooms answered heat and weather: means of slots of equal length, oldest first, NaN where nothing was measured. */
export interface RoomHistory {
  readonly stepS: number
  readonly roomC: Float64Array
  readonly outdoorC: Float64Array
  /** Heat into the rooms in any unit that stays the same: only its course counts. */
  readonly heat: Float64Array
}

/** τ of a building, s, with the bounds it lies between in nine cases of ten; `sigma` is the width of ln τ. */
export interface TimeConstantEstimate {
  readonly kind: 'identified' | 'not-identified'
  readonly timeConstantS: number
  readonly lowS: number
  readonly highS: number
  readonly sigma: number
}

export type TimeConstantOutcome = TimeConstantEstimate | { readonly kind: 'not-measured' }

/** τ of the usual concrete block that is not insulated much: 50 to 150 h, public buildings of light walls 20 to 50 h. */
export const USUAL_TIME_CONSTANT = { hours: 80, sigma: 1 } as const

const HOUR_S = 3_600
const DAY_S = 86_400
const SHORTEST_H = 4
const LONGEST_H = 600
const TRIED = 48
/** Less than this tells nothing of walls that answer over days. */
const LEAST_S = 3 * DAY_S
/** Heat and weather go on as straight lines over gaps up to this. */
const MOST_GAP_S = 4 * HOUR_S
/** Rooms must be measured in so many of the slots. */
const LEAST_SHARE = 0.6
/** A posterior wider than this share of its prior tells nothing. */
const NARROWED = 0.5
/** What one time constant for all flats and walls leaves open of ln τ; set on the twin. */
const MODEL_SIGMA = 0.3
/** The law leaves the same out for some hours: so many of them tell as much as one that stands alone; set on the twin. */
const ALIKE_S = 3 * HOUR_S
/** People, sun and airing come and go by the day: in an evening of four hours, too, which fewer waves took for heat by night. */
const DAILY_WAVES = [1, 2, 3, 4] as const
const WAVE_SIGMA_K = 0.3
/** Sensors say no more than this, K. */
const LEAST_NOISE_K = 0.01
const ROUNDS = 3
/** Emitters give off what they hold, and air with furniture follows, within these, h. */
const AIR_H = [0.3, 1, 3] as const
/** P5 and P95 of a normal distribution. */
const NINE_OF_TEN = 1.645

/** Values with gaps of up to `most` slots filled by straight lines; those that are longer stay. */
function fillGaps(values: Float64Array, most: number): Float64Array {
  const filled = values.slice()
  let last = -1
  for (let k = 0; k < filled.length; k++) {
    const value = filled[k] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const from = filled[last] ?? Number.NaN
    if (last >= 0 && k - last - 1 <= most)
      for (let gap = last + 1; gap < k; gap++)
        filled[gap] = from + ((value - from) * (gap - last)) / (k - last)
    last = k
  }
  return filled
}

/** The newest part in which heat and weather are known throughout. */
function findKnownPart({ stepS, roomC, outdoorC, heat }: RoomHistory): RoomHistory {
  const most = Math.floor(MOST_GAP_S / stepS)
  const [outside, given] = [fillGaps(outdoorC, most), fillGaps(heat, most)]
  const isKnown = (k: number): boolean => !Number.isNaN((outside[k] ?? Number.NaN) + (given[k] ?? Number.NaN))
  let to = outside.length
  while (to > 0 && !isKnown(to - 1)) to--
  let from = to
  while (from > 0 && isKnown(from - 1)) from--
  const part = (values: Float64Array): Float64Array => values.slice(from, to)
  return { stepS, roomC: part(roomC), outdoorC: part(outside), heat: part(given) }
}

/** What a first-order store of time constant τ makes of an input, mean of each slot; it begins as the first day was. */
function follow(input: Float64Array, stepS: number, timeConstantS: number): Float64Array {
  const kept = Math.exp(-stepS / timeConstantS)
  let now = weightedMean(input.subarray(0, Math.ceil(DAY_S / stepS))) ?? 0
  return input.map((value) => {
    const before = now
    now = kept * now + (1 - kept) * value
    return (before + now) / 2
  })
}

/** Each value less what the one before lets expect of it, of pairs that are known. */
const whiten = (values: Float64Array, alike: number, pairs: readonly number[]): Float64Array =>
  Float64Array.from(pairs, (k) => (values[k] ?? 0) - alike * (values[k - 1] ?? 0))

/** The parts of T − T_o as a time constant has them, with what is believed of each. */
function explain({ stepS, outdoorC, heat }: RoomHistory, timeConstantS: number, meanExcessK: number) {
  const { length } = outdoorC
  const usual = weightedMean(heat) ?? 1
  const share = heat.map((value) => value / usual)
  const wave = (periodS: number, of: (angle: number) => number): Float64Array =>
    Float64Array.from({ length }, (_, k) => of((2 * Math.PI * k * stepS) / periodS))
  const followed = follow(outdoorC, stepS, timeConstantS)
  const parts: readonly (readonly [Float64Array, CoefficientPrior])[] = [
    // People and sun, K, and as they come and go by the day.
    [new Float64Array(length).fill(1), { mean: 3, sigma: 3 }],
    ...DAILY_WAVES.flatMap((times) =>
      [Math.sin, Math.cos].map((of) => [wave(DAY_S / times, of), { mean: 0, sigma: WAVE_SIGMA_K }] as const),
    ),
    // The weather through walls; the rest comes through windows at once.
    [followed.map((value, k) => value - (outdoorC[k] ?? 0)), { mean: 0.85, sigma: 0.15 }],
    // Heat into walls, and what the air has of it at once.
    [follow(share, stepS, timeConstantS), { mean: 0.75 * meanExcessK, sigma: 0.3 * meanExcessK }],
    ...AIR_H.map(
      (hours) =>
        [
          follow(share, stepS, HOUR_S * hours),
          { mean: (0.15 * meanExcessK) / AIR_H.length, sigma: 0.1 * meanExcessK },
        ] as const,
    ),
    // How far walls were from the first day's mean.
    [
      Float64Array.from({ length }, (_, k) => Math.exp((-(k + 0.5) * stepS) / timeConstantS)),
      { mean: 0, sigma: 3 },
    ],
  ]
  return { columns: parts.map(([column]) => column), priors: parts.map(([, prior]) => prior) }
}

/** Grid of τ, evenly in ln τ, s. */
const tried: readonly number[] = Array.from(
  { length: TRIED },
  (_, index) => HOUR_S * SHORTEST_H * (LONGEST_H / SHORTEST_H) ** (index / (TRIED - 1)),
)

const logPrior = (timeConstantS: number): number =>
  -((Math.log(timeConstantS / HOUR_S / USUAL_TIME_CONSTANT.hours) / USUAL_TIME_CONSTANT.sigma) ** 2) / 2

/** Mean and width of ln τ under weights that are given as logarithms. */
function summarise(logWeights: readonly number[]): { readonly mean: number; readonly sigma: number } {
  const most = Math.max(...logWeights)
  const weights = logWeights.map((weight) => Math.exp(weight - most))
  const logs = tried.map(Math.log)
  const mean = weightedMean(logs, weights) ?? 0
  const squares = logs.map((value) => (value - mean) ** 2)
  return { mean, sigma: Math.hypot(Math.sqrt(weightedMean(squares, weights) ?? 0), MODEL_SIGMA) }
}

/**
 * Time constant of a building from how its rooms answered: T − T_o = Σ c·(heat and weather, followed through a first-order
 * store of τ, and as they act at once; gains, by the day too), all c integrated out for every τ, neighbouring residuals alike
 * as they turn out to be, with a lognormal prior of τ about 80 h. It is that of all which cools with the rooms: a heated
 * screed is part of it. Where data narrow it little, "not identified" is the answer and the prior stands. Source: first-order cooling with a quasi-steady air node; docs/domain/formulas.md. Worked example:
 * time-constant.test.ts; on the twin: `bench/balancing/time-constant.test.ts`.
 */
export function identifyTimeConstant(given: RoomHistory): TimeConstantOutcome {
  const history = findKnownPart(given)
  const { stepS, roomC, outdoorC } = history
  const isMeasured = (k: number): boolean => !Number.isNaN(roomC[k] ?? Number.NaN)
  const known = [...roomC.keys()].filter(isMeasured)
  if (roomC.length * stepS < LEAST_S || known.length < LEAST_SHARE * roomC.length)
    return { kind: 'not-measured' }
  const excess = roomC.map((room, k) => room - (outdoorC[k] ?? 0))
  const meanExcessK = weightedMean(excess) ?? Number.NaN
  if (!(meanExcessK > 1) || !((weightedMean(history.heat) ?? 0) > 0)) return { kind: 'not-measured' }
  const pairs = known.filter((k) => k > 0 && isMeasured(k - 1))
  const laws = tried.map((timeConstantS) => explain(history, timeConstantS, meanExcessK))
  const alone = Math.max(1, ALIKE_S / stepS)
  let [alike, sigma] = [0.9, 0.1]
  let found = { mean: 0, sigma: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const y = whiten(excess, alike, pairs)
    const beliefs = laws.map(({ columns, priors }) =>
      believeLinear(
        y,
        columns.map((column) => whiten(column, alike, pairs)),
        priors,
        sigma,
      ),
    )
    const weights = beliefs.map(({ logEvidence }, index) => logEvidence / alone + logPrior(tried[index] ?? 1))
    found = summarise(weights)
    const best = weights.indexOf(Math.max(...weights))
    const [law, belief] = [laws[best], beliefs[best]]
    if (law === undefined || belief === undefined) break
    const misses = excess.map((value, k) =>
      law.columns.reduce((rest, column, p) => rest - (belief.coefficients[p] ?? 0) * (column[k] ?? 0), value),
    )
    alike = findLikeness(misses, pairs)
    const fresh = whiten(misses, alike, pairs)
    sigma = Math.max(LEAST_NOISE_K, Math.sqrt(weightedMean(fresh.map((miss) => miss * miss)) ?? 0))
  }
  return toEstimate(found)
}

/** Correlation of neighbouring residuals, 0 to 0.99. */
function findLikeness(misses: Float64Array, pairs: readonly number[]): number {
  let [product, square] = [0, 0]
  for (const k of pairs) {
    product += (misses[k] ?? 0) * (misses[k - 1] ?? 0)
    square += (misses[k - 1] ?? 0) ** 2
  }
  return square > 0 ? Math.min(0.99, Math.max(0, product / square)) : 0
}

function toEstimate({
  mean,
  sigma,
}: {
  readonly mean: number
  readonly sigma: number
}): TimeConstantEstimate {
  const isIdentified = sigma < NARROWED * USUAL_TIME_CONSTANT.sigma
  const [middle, wide] = isIdentified
    ? [Math.exp(mean), sigma]
    : [HOUR_S * USUAL_TIME_CONSTANT.hours, USUAL_TIME_CONSTANT.sigma]
  const far = Math.exp(NINE_OF_TEN * wide)
  return {
    kind: isIdentified ? 'identified' : 'not-identified',
    timeConstantS: middle,
    lowS: middle / far,
    highS: middle * far,
    sigma: wide,
  }
}
