import { weightedMean } from '@isotherm/kernel/statistics'
import { type CoefficientPrior, estimateLinear } from '../numeric/linear-estimate.ts'

/**
 * Response of rooms to heat and weather: means of slots of equal length, oldest first, NaN without readings.
 */
export interface RoomHistory {
  readonly stepS: number
  readonly roomC: Float64Array
  readonly outdoorC: Float64Array
  /** Heat into the rooms, in any constant unit: only its course counts. */
  readonly heat: Float64Array
}

/** Time constant τ of a building, s, with its 90 % bounds; `sigma` is the standard deviation of ln τ. */
export interface TimeConstantEstimate {
  readonly kind: 'identified' | 'not-identified'
  readonly timeConstantS: number
  readonly lowS: number
  readonly highS: number
  readonly sigma: number
}

export type TimeConstantOutcome = TimeConstantEstimate | { readonly kind: 'not-measured' }

/**
 * Time constant of a usual concrete block with little insulation: 50 to 150 h; public buildings with light walls have
 * 20 to 50 h.
 */
export const USUAL_TIME_CONSTANT = { hours: 80, sigma: 1 } as const

const HOUR_S = 3_600
const DAY_S = 86_400
const SHORTEST_H = 4
const LONGEST_H = 600
/** Number of time constants that are tried. */
const GRID_SIZE = 48
/** A shorter history gives no information on walls that respond over days. */
const MIN_S = 3 * DAY_S
/** Longest gap of heat and weather that is interpolated. */
const MAX_GAP_S = 4 * HOUR_S
/** Minimum share of slots with room readings. */
const MIN_SHARE = 0.6
/** If the posterior is wider than this share of the prior, the time constant counts as not identified. */
const MAX_POSTERIOR_SHARE = 0.5
/**
 * Standard deviation of ln τ from the model error of one time constant for all flats and walls; set on the twin.
 */
const MODEL_SIGMA = 0.3
/**
 * Model errors are correlated over this time, so that all values within it count as one independent value; set on the
 * twin.
 */
const CORRELATION_S = 3 * HOUR_S
/**
 * Harmonics of a day that describe the gains of people, sun and airing. With fewer, gains of the evening would count as
 * heat of the night.
 */
const DAILY_WAVES = [1, 2, 3, 4] as const
const WAVE_SIGMA_K = 0.3
/** Minimum noise of sensors, K. */
const MIN_NOISE_K = 0.01
/** Iterations between the estimate and the correlation of its residuals. */
const ROUNDS = 3
/** Time constants of emitters and of air with furniture, h. */
const AIR_H = [0.3, 1, 3] as const
/** Standard deviations from the mean to P5 and P95 of a normal distribution. */
const SIGMAS_TO_P95 = 1.645

/** Fills gaps of up to `maxSlots` slots by linear interpolation; longer gaps stay. */
function fillGaps(values: Float64Array, maxSlots: number): Float64Array {
  const filled = values.slice()
  let last = -1
  for (let k = 0; k < filled.length; k++) {
    const value = filled[k] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const from = filled[last] ?? Number.NaN
    if (last >= 0 && k - last - 1 <= maxSlots)
      for (let gap = last + 1; gap < k; gap++)
        filled[gap] = from + ((value - from) * (gap - last)) / (k - last)
    last = k
  }
  return filled
}

/** The newest part in which heat and weather are known throughout. */
function findKnownPart({ stepS, roomC, outdoorC, heat }: RoomHistory): RoomHistory {
  const maxSlots = Math.floor(MAX_GAP_S / stepS)
  const [outside, heating] = [fillGaps(outdoorC, maxSlots), fillGaps(heat, maxSlots)]
  const isKnown = (k: number): boolean =>
    !Number.isNaN((outside[k] ?? Number.NaN) + (heating[k] ?? Number.NaN))
  let to = outside.length
  while (to > 0 && !isKnown(to - 1)) to--
  let from = to
  while (from > 0 && isKnown(from - 1)) from--
  const part = (values: Float64Array): Float64Array => values.slice(from, to)
  return { stepS, roomC: part(roomC), outdoorC: part(outside), heat: part(heating) }
}

/**
 * Response of a first-order store with time constant τ to an input, mean of each slot; it starts at the mean of the
 * first day.
 */
function follow(input: Float64Array, stepS: number, timeConstantS: number): Float64Array {
  const decay = Math.exp(-stepS / timeConstantS)
  let now = weightedMean(input.subarray(0, Math.ceil(DAY_S / stepS))) ?? 0
  return input.map((value) => {
    const before = now
    now = decay * now + (1 - decay) * value
    return (before + now) / 2
  })
}

/** Each value minus its prediction from the previous value. `pairs`: indices at which both values are known. */
const whiten = (values: Float64Array, correlation: number, pairs: readonly number[]): Float64Array =>
  Float64Array.from(pairs, (k) => (values[k] ?? 0) - correlation * (values[k - 1] ?? 0))

/** The terms of T − T_o for a time constant, with the prior of each coefficient. */
function explain({ stepS, outdoorC, heat }: RoomHistory, timeConstantS: number, meanExcessK: number) {
  const { length } = outdoorC
  const usual = weightedMean(heat) ?? 1
  const share = heat.map((value) => value / usual)
  const wave = (periodS: number, of: (angle: number) => number): Float64Array =>
    Float64Array.from({ length }, (_, k) => of((2 * Math.PI * k * stepS) / periodS))
  const followed = follow(outdoorC, stepS, timeConstantS)
  const parts: readonly (readonly [Float64Array, CoefficientPrior])[] = [
    // People and sun, K, and their daily rhythm.
    [new Float64Array(length).fill(1), { mean: 3, sigma: 3 }],
    ...DAILY_WAVES.flatMap((times) =>
      [Math.sin, Math.cos].map((of) => [wave(DAY_S / times, of), { mean: 0, sigma: WAVE_SIGMA_K }] as const),
    ),
    // Weather through walls; the rest acts through windows at once.
    [followed.map((value, k) => value - (outdoorC[k] ?? 0)), { mean: 0.85, sigma: 0.15 }],
    // Heat into walls, and its share that acts on the air at once.
    [follow(share, stepS, timeConstantS), { mean: 0.75 * meanExcessK, sigma: 0.3 * meanExcessK }],
    ...AIR_H.map(
      (hours) =>
        [
          follow(share, stepS, HOUR_S * hours),
          { mean: (0.15 * meanExcessK) / AIR_H.length, sigma: 0.1 * meanExcessK },
        ] as const,
    ),
    // Difference of the walls from the mean of the first day.
    [
      Float64Array.from({ length }, (_, k) => Math.exp((-(k + 0.5) * stepS) / timeConstantS)),
      { mean: 0, sigma: 3 },
    ],
  ]
  return { columns: parts.map(([column]) => column), priors: parts.map(([, prior]) => prior) }
}

/** Grid of τ, evenly in ln τ, s. */
const tried: readonly number[] = Array.from(
  { length: GRID_SIZE },
  (_, index) => HOUR_S * SHORTEST_H * (LONGEST_H / SHORTEST_H) ** (index / (GRID_SIZE - 1)),
)

const logPrior = (timeConstantS: number): number =>
  -((Math.log(timeConstantS / HOUR_S / USUAL_TIME_CONSTANT.hours) / USUAL_TIME_CONSTANT.sigma) ** 2) / 2

/** Mean and standard deviation of ln τ for weights given as logarithms. */
function summarise(logWeights: readonly number[]): { readonly mean: number; readonly sigma: number } {
  const max = Math.max(...logWeights)
  const weights = logWeights.map((weight) => Math.exp(weight - max))
  const logs = tried.map(Math.log)
  const mean = weightedMean(logs, weights) ?? 0
  const squares = logs.map((value) => (value - mean) ** 2)
  return { mean, sigma: Math.hypot(Math.sqrt(weightedMean(squares, weights) ?? 0), MODEL_SIGMA) }
}

/**
 * Time constant of a building from the response of its rooms: T − T_o = Σ c·(heat and weather, both filtered by a
 * first-order store of τ and directly; gains with a daily rhythm). All c are integrated out for every τ, the
 * correlation of neighbouring residuals is estimated, and τ has a lognormal prior around 80 h. The result includes
 * everything that cools with the rooms, such as a heated screed. If the data narrow it little, the outcome is
 * `not-identified` with the prior. Source: first-order cooling with a quasi-steady air node; docs/domain/formulas.md.
 * Worked example: time-constant.test.ts; on the twin: `bench/balancing/time-constant.test.ts`.
 */
export function identifyTimeConstant(given: RoomHistory): TimeConstantOutcome {
  const history = findKnownPart(given)
  const { stepS, roomC, outdoorC } = history
  const isMeasured = (k: number): boolean => !Number.isNaN(roomC[k] ?? Number.NaN)
  const known = [...roomC.keys()].filter(isMeasured)
  if (roomC.length * stepS < MIN_S || known.length < MIN_SHARE * roomC.length) return { kind: 'not-measured' }
  const excess = roomC.map((room, k) => room - (outdoorC[k] ?? 0))
  const meanExcessK = weightedMean(excess) ?? Number.NaN
  if (!(meanExcessK > 1) || !((weightedMean(history.heat) ?? 0) > 0)) return { kind: 'not-measured' }
  const pairs = known.filter((k) => k > 0 && isMeasured(k - 1))
  const laws = tried.map((timeConstantS) => explain(history, timeConstantS, meanExcessK))
  const slotsPerValue = Math.max(1, CORRELATION_S / stepS)
  let [correlation, sigma] = [0.9, 0.1]
  let found = { mean: 0, sigma: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const y = whiten(excess, correlation, pairs)
    const estimates = laws.map(({ columns, priors }) =>
      estimateLinear(
        y,
        columns.map((column) => whiten(column, correlation, pairs)),
        priors,
        sigma,
      ),
    )
    const weights = estimates.map(
      ({ logEvidence }, index) => logEvidence / slotsPerValue + logPrior(tried[index] ?? 1),
    )
    found = summarise(weights)
    const best = weights.indexOf(Math.max(...weights))
    const [law, estimate] = [laws[best], estimates[best]]
    if (law === undefined || estimate === undefined) break
    const residuals = excess.map((value, k) =>
      law.columns.reduce(
        (rest, column, p) => rest - (estimate.coefficients[p] ?? 0) * (column[k] ?? 0),
        value,
      ),
    )
    correlation = findCorrelation(residuals, pairs)
    const noise = whiten(residuals, correlation, pairs)
    sigma = Math.max(MIN_NOISE_K, Math.sqrt(weightedMean(noise.map((value) => value * value)) ?? 0))
  }
  return toEstimate(found)
}

/** Correlation of neighbouring residuals, 0 to 0.99. */
function findCorrelation(residuals: Float64Array, pairs: readonly number[]): number {
  let [product, square] = [0, 0]
  for (const k of pairs) {
    product += (residuals[k] ?? 0) * (residuals[k - 1] ?? 0)
    square += (residuals[k - 1] ?? 0) ** 2
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
  const isIdentified = sigma < MAX_POSTERIOR_SHARE * USUAL_TIME_CONSTANT.sigma
  const [middle, wide] = isIdentified
    ? [Math.exp(mean), sigma]
    : [HOUR_S * USUAL_TIME_CONSTANT.hours, USUAL_TIME_CONSTANT.sigma]
  const ratio = Math.exp(SIGMAS_TO_P95 * wide)
  return {
    kind: isIdentified ? 'identified' : 'not-identified',
    timeConstantS: middle,
    lowS: middle / ratio,
    highS: middle * ratio,
    sigma: wide,
  }
}
