import {
  type FlowCoefficient,
  flowCoefficient,
  type OpeningRatio,
  openingRatio,
} from '@isotherm/kernel/quantities'

/**
 * The curve of one valve, learned from its flows: Kv at evenly spaced openings from 0 to 1, linear in between. The first Kv
 * can be above zero: a leaking seat. Build one with `createLearnedCurve`.
 */
export interface LearnedCurve {
  readonly kind: 'learned'
  readonly kvs: FlowCoefficient
  readonly points: readonly FlowCoefficient[]
}

export type LearnedCurveOutcome =
  | LearnedCurve
  | { readonly kind: 'too-few-points' }
  /** A point is negative, lower than the previous one, or not finite. */
  | { readonly kind: 'falling-point'; readonly point: number }

/** A curve through at least two points that never decrease. */
export function createLearnedCurve(points: readonly FlowCoefficient[]): LearnedCurveOutcome {
  const kvs = points.at(-1)
  if (kvs === undefined || points.length < 2) return { kind: 'too-few-points' }
  const point = points.findIndex((kv, index) => !(Number.isFinite(kv) && kv >= (points[index - 1] ?? 0)))
  return point < 0 ? { kind: 'learned', kvs, points } : { kind: 'falling-point', point }
}

/** Kv at an opening of 0..1. */
export function learnedKv({ points }: LearnedCurve, opening: OpeningRatio): FlowCoefficient {
  const along = opening * (points.length - 1)
  const before = Math.min(points.length - 2, Math.floor(along))
  const from = points[before] ?? 0
  const to = points[before + 1] ?? 0
  // Rounding must not exceed the point.
  return flowCoefficient(Math.min(to, from + (to - from) * (along - before)))
}

/** The smallest opening at which the curve has a coefficient, exact to its last digit. The curve must contain it. */
export function learnedOpening({ points }: LearnedCurve, kv: FlowCoefficient): OpeningRatio {
  const after = points.findIndex((point) => point >= kv)
  if (after <= 0) return openingRatio(0)
  const from = points[after - 1] ?? 0
  const to = points[after] ?? 0
  // If the curve is almost flat, many openings give the same number.
  const above = Math.max(0, kv - from - Math.max(kv * Number.EPSILON, Number.MIN_VALUE))
  return openingRatio((after - 1 + above / (to - from)) / (points.length - 1))
}
