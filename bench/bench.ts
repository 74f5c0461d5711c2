/**
 * Interface of a benchmark. A bench is one file `bench/<name>.ts` that exports `bench: Bench`. `npm run bench -- <name>`
 * runs it and prints its figures beside their budgets and the peers measured in the same run.
 */

/** A yardstick measured in the same run as our figure: another program doing the same work, or a physical limit. */
export interface BenchPeer {
  /** Name of the compared figure. */
  readonly figure: string
  /** Description of the measurement: `aedes alone, nothing stored`. */
  readonly label: string
  /** Value in the unit of the figure, unless the label names another unit. */
  readonly value: number
}

export interface BenchResult {
  /** Our figures; the name ends in the unit (`_ms`, `_s`, `_mb`, `_per_s`, `_ratio…`) and is the name of the budget. */
  readonly figures: Readonly<Record<string, number>>
  readonly peers: readonly BenchPeer[]
  /** Conditions of the measurement: sizes, durations, counts. */
  readonly notes: readonly string[]
}

export interface Bench {
  /** The file's name and the name of its group of budgets. */
  readonly name: string
  /** One line: what is measured. */
  readonly about: string
  /** Measures once and leaves nothing behind: no process, no file. */
  run(): Promise<BenchResult>
}
