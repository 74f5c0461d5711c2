/** Runs of sequence numbers, each from starts[i] to ends[i], ascending and apart. */
export interface Runs {
  readonly starts: number[]
  readonly ends: number[]
}

/** A node that jumps about in its numbers, or restarts all the time, costs no more than this. */
const MAX_RUNS = 4_096
export const MAX_BOOTS = 16

/** Index of the last run that starts at or below seq; -1 when none does. */
function findRun(runs: Runs, seq: number): number {
  let low = 0
  let high = runs.starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs.starts[middle] ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}

export const containsNumber = (runs: Runs, seq: number): boolean =>
  seq <= (runs.ends[findRun(runs, seq)] ?? -1)

/** Adds numbers, both ends included, to the runs that they meet or lie in. */
export function insertNumbers(runs: Runs, from: number, to: number): void {
  const before = findRun(runs, from)
  const first = (runs.ends[before] ?? -1) >= from - 1 && before >= 0 ? before : before + 1
  const last = findRun(runs, to + 1)
  if (first > last) {
    runs.starts.splice(first, 0, from)
    runs.ends.splice(first, 0, to)
  } else {
    runs.starts[first] = Math.min(from, runs.starts[first] ?? from)
    runs.ends[first] = Math.max(to, runs.ends[last] ?? to)
    if (last > first) {
      runs.starts.splice(first + 1, last - first)
      runs.ends.splice(first + 1, last - first)
    }
  }
  if (runs.starts.length > MAX_RUNS) {
    runs.starts.shift()
    runs.ends.shift()
  }
}
