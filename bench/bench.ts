/**
 * Interface of a benchmark. A bench is one file `bench/<name>.ts` that exports `bench: Bench`. `npm run bench -- <name>`
 * runs it and prints its figures beside their budgets and the peers measured in the same run.
 */

/** A comparison value measured in the same run: another program that does the same work, or a physical limit. */
export interface BenchPeer {
  /** Name of the compared figure. */
  readonly figure: string
  /** What was measured, such as `aedes alone, nothing stored`. */
  readonly label: string
  /** Value in the unit of the figure, unless the label names another unit. */
  readonly value: number
}

export interface BenchResult {
  /** Our figures by name. A name ends in its unit (`_ms`, `_s`, `_mb`, `_per_s`, `_ratio…`); its budget has the same name. */
  readonly figures: Readonly<Record<string, number>>
  readonly peers: readonly BenchPeer[]
  /** Conditions of the measurement: sizes, durations, counts. */
  readonly notes: readonly string[]
}

export interface Bench {
  /** Name of the file and of the group of budgets. */
  readonly name: string
  /** What the bench measures, in one line. */
  readonly about: string
  /** Measures once; removes its processes and files. */
  run(): Promise<BenchResult>
}
