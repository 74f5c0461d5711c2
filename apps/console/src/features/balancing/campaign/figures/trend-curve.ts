import type { BalanceTrend } from '@isotherm/contract/balancing/balance-now'

export interface TrendPoint {
  readonly at: number
  readonly sigmaK: number
}

/** A place in the chart, 0 to 100 from the left and from the top. */
export interface Place {
  readonly x: number
  readonly y: number
}

export interface TrendFrame {
  readonly from: number
  readonly to: number
  /** Upper end of the σ axis, K; the lower end is 0. */
  readonly topK: number
}

/** The points of a half-open span. */
export const toTrendPoints = (
  { points }: BalanceTrend,
  { from, to }: { readonly from: number; readonly to: number },
): readonly TrendPoint[] =>
  points
    .filter(({ at }) => at >= from && at < to)
    .map(({ at, sigmaReturnK }) => ({ at, sigmaK: sigmaReturnK }))

const STEPS_K = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20] as const
/** Maximum of grid lines. */
const LINES = 4

/** Step of the grid lines, K: the smallest round number that reaches the largest value with few lines. */
const toStepK = (maxK: number): number =>
  STEPS_K.find((stepK) => stepK * LINES >= maxK) ?? Math.ceil(maxK / LINES)

/** Frame of all shown points. */
export function toTrendFrame(
  span: { readonly from: number; readonly to: number },
  valuesK: readonly number[],
): TrendFrame & { readonly ticksK: readonly number[] } {
  const maxK = Math.max(0.1, ...valuesK)
  const stepK = toStepK(maxK)
  const lines = Math.ceil(maxK / stepK)
  return {
    ...span,
    topK: lines * stepK,
    ticksK: Array.from({ length: lines + 1 }, (_, index) => index * stepK),
  }
}

export const toPlace = ({ at, sigmaK }: TrendPoint, { from, to, topK }: TrendFrame): Place => ({
  x: (100 * (at - from)) / (to - from),
  y: 100 - (100 * sigmaK) / topK,
})

/** Width of a mark's label, % of the chart. */
const LABEL = 24

/** Beyond this position, % of the chart, labels are left of their marks. */
const LATE = 60
export const isLate = (x: number): boolean => x > LATE

/** Label line of each mark, from 0. Labels that would overlap use the next line. */
export function toLabelLines(marks: readonly number[]): readonly number[] {
  const ends: number[] = []
  return marks.map((x) => {
    const [from, to] = isLate(x) ? [x - LABEL, x] : [x, x + LABEL]
    const free = ends.findIndex((end) => end <= from)
    const line = free === -1 ? ends.length : free
    ends[line] = to
    return line
  })
}
