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
  /** Upper end of the axis of σ, K; it begins at 0. */
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
/** Lines of the axis. */
const LINES = 4

/** Distance of the lines of the axis, K: the least round number with which so few lines reach the greatest value. */
const toStepK = (greatestK: number): number =>
  STEPS_K.find((stepK) => stepK * LINES >= greatestK) ?? Math.ceil(greatestK / LINES)

/** The frame of all that is shown. */
export function toTrendFrame(
  span: { readonly from: number; readonly to: number },
  valuesK: readonly number[],
): TrendFrame & { readonly ticksK: readonly number[] } {
  const greatestK = Math.max(0.1, ...valuesK)
  const stepK = toStepK(greatestK)
  const lines = Math.ceil(greatestK / stepK)
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

/** Room that the words of a mark take, of the width of the chart, %. */
const LABEL = 24

/** From here on, % of the width, words stand before their mark: a phone has no room behind. */
const LATE = 60
export const isLate = (x: number): boolean => x > LATE

/** The line of text for each mark, from 0: marks so near to one another that their words would meet stand below. */
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
