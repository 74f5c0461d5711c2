/** Progress of the rollups, Unix s. */
export interface RollupMarks {
  /** Hours that end before this are built. */
  readonly closedS: number
  /** They include rows that the engine stored before this, by its own clock. */
  readonly storedS: number
  /**
   * A started step: the hours from `closedS` to `toS`, and the days that end in them, are built for devices up to this
   * one.
   */
  readonly begun?: { readonly toS: number; readonly device: number } | undefined
}

/** A range of devices in a range of whole hours. */
export interface RollupRun {
  /** Unix s, a whole hour, included. */
  readonly fromS: number
  /** Unix s, a whole hour, excluded. */
  readonly toS: number
  /** Ids, both included. */
  readonly firstDevice: number
  readonly lastDevice: number
}

/** A range of time and devices with readings. */
export interface RollupPart {
  readonly fromS: number
  readonly toS: number
  /**
   * Ids from the least to the greatest, with about the same number of devices between each two. The part can be split
   * at them.
   */
  readonly devices: readonly number[]
}

export type RollupLevel = 'hours' | 'days'

/** Stores rollups. A rollup that is built again replaces the former one, so every step can be repeated. */
export interface RollupStore {
  /** Undefined if nothing was built in this zone. `writtenS`: time of writing by the engine's clock. */
  readMarks(): Promise<(RollupMarks & { readonly writtenS: number }) | undefined>
  writeMarks(marks: RollupMarks): Promise<void>
  /** Drops all rollups of all zones. */
  dropAll(): Promise<void>
  engineNowS(): Promise<number>
  /** Parts of a time range (Unix s, whole hours), one per month with readings, with all devices. */
  findBetween(fromS: number, toS: number): Promise<RollupPart[]>
  /**
   * Parts with readings that were stored since a time of the engine's clock: one per day of the plant, and one per hour
   * from `byHourFromS` on. Larger parts would read rows without need.
   */
  findLate(storedSinceS: number, fromS: number, toS: number, byHourFromS: number): Promise<RollupPart[]>
  /**
   * Approximate number of rows that the engine reads for a run. It can be more than the rows of the run, because the
   * rows of a device are stored by month.
   */
  countRows(level: RollupLevel, run: RollupRun, storedSinceS?: number): Promise<number>
  /** Builds the hours of a run: of all readings, or only those with readings that were stored since a time. */
  buildHours(run: RollupRun, storedSinceS?: number): Promise<void>
  /**
   * Builds the days of a run of whole days from its hours; or only those with readings that were stored since a time.
   */
  buildDays(run: RollupRun, storedSinceS?: number): Promise<void>
}
