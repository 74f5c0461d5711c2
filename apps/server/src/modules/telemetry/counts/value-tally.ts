import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { BIN_WIDTH, type Distribution } from '@isotherm/contract/network/network-figures'

/**
 * Distribution of the values of one metric. It counts values per step and stores none of them, so its size does not
 * depend on their number.
 */
export interface ValueTally {
  /** Adds a value; returns false if it is outside the range of the metric. */
  add(value: number): boolean
  /** The distribution; null without values. */
  read(): Distribution | null
}

export function createValueTally(metric: MetricName): ValueTally {
  const { range, decimals } = metrics[metric]
  const [lowest, highest] = range
  /** A step is a tenth of the displayed precision. */
  const perUnit = 10 ** (decimals + 1)
  const steps = new Uint32Array((highest - lowest) * perUnit + 1)
  const bins = new Uint32Array((highest - lowest) / BIN_WIDTH + 1)
  let [count, mean, squares] = [0, 0, 0]

  /** The value at position `rank` in ascending order, from 0. */
  function findRanked(rank: number): number {
    let before = 0
    const step = steps.findIndex((many) => {
      before += many
      return before > rank
    })
    return Math.round(lowest * perUnit + step) / perUnit
  }

  function findQuantile(share: number): number {
    const position = share * (count - 1)
    const below = Math.floor(position)
    const low = findRanked(below)
    if (position === below) return low
    return low + (findRanked(below + 1) - low) * (position - below)
  }

  function listBins(): Distribution['bins'] {
    const first = bins.findIndex((many) => many > 0)
    const last = bins.findLastIndex((many) => many > 0)
    return Array.from(bins.subarray(first, last + 1), (many, index) => ({
      from: lowest + (first + index) * BIN_WIDTH,
      count: many,
    }))
  }

  return {
    add(value) {
      if (!(value >= lowest && value <= highest)) return false
      count += 1
      // Welford's algorithm: with plain sums of squares, many similar values would lose their differences to rounding.
      const apart = value - mean
      mean += apart / count
      squares += apart * (value - mean)
      const step = Math.round((value - lowest) * perUnit)
      steps[step] = (steps[step] ?? 0) + 1
      const bin = Math.floor(value / BIN_WIDTH) - lowest / BIN_WIDTH
      bins[bin] = (bins[bin] ?? 0) + 1
      return true
    },
    read() {
      if (count === 0) return null
      const deviation = Math.sqrt(squares / count)
      const [p5, median, p95] = [findQuantile(0.05), findQuantile(0.5), findQuantile(0.95)]
      return { count, mean, deviation, p5, median, p95, bins: listBins() }
    },
  }
}
