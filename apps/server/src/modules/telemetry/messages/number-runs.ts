/** Disjoint, ascending runs of sequence numbers; run i covers starts[i] to ends[i], both included. */
export interface Runs {
  readonly starts: number[]
  readonly ends: number[]
}

/** Limit of memory for a gateway that skips numbers or restarts often. */
const MAX_RUNS = 4_096
export const MAX_BOOTS = 16

/** Index of the last run that starts at or below `seq`; -1 if there is none. */
export function findRun(runs: Readonly<Runs>, seq: number): number {
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

/** Adds the numbers from `from` to `to`, both included. Merges the runs that overlap or touch them. */
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
