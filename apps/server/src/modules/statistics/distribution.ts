/** Counts of values between bounds, of which there is one more. */
export interface Distribution {
  readonly bounds: number[]
  readonly counts: number[]
}

/** Number of intervals that a reader can compare. */
const USUAL_INTERVALS = 10

/** Values that differ by less than this share of their size are the same to a reader. */
const SAME = 1e-6
/** Below every shown decimal. */
const TINY = 1e-9

/** The next of 1, 2 and 5 times a power of ten. */
function toRound(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width))
  const step = [1, 2, 5, 10].find((each) => each * power >= width * (1 - 1e-9)) ?? 10
  return step * power
}

const tidy = (value: number): number => Number(value.toPrecision(12))

/** Distribution of values over some ten intervals of a round width; empty without values. */
export function toDistribution(values: readonly number[]): Distribution {
  if (values.length === 0) return { bounds: [], counts: [] }
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  const size = Math.max(Math.abs(min), Math.abs(max))
  const range = max - min
  const width = size < TINY ? 1 : toRound((range > size * SAME ? range : size) / USUAL_INTERVALS)
  const first = Math.floor(min / width + 1e-9)
  const count = Math.max(1, Math.floor(max / width + 1e-9) - first + 1)
  const counts = new Array<number>(count).fill(0)
  for (const value of values) {
    const at = Math.min(count - 1, Math.max(0, Math.floor(value / width + 1e-9) - first))
    counts[at] = (counts[at] ?? 0) + 1
  }
  const bounds = Array.from({ length: count + 1 }, (_, index) => tidy((first + index) * width))
  return { bounds, counts }
}
