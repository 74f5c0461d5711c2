/** How far the rollups reach, Unix s. */
export interface RollupMarks {
  /** Hours that ended before are made. */
  readonly closedS: number
  /** Of the rows the engine stored before, by its own clock. */
  readonly storedS: number
  /** Of the hours from there to `toS`, and of the days that end in them, those of devices up to this one are made too. */
  readonly begun?: { readonly toS: number; readonly device: number } | undefined
}

/** Some devices within some whole hours. */
export interface RollupRun {
  /** Unix s, a whole hour, included. */
  readonly fromS: number
  /** Unix s, a whole hour, excluded. */
  readonly toS: number
  /** Ids, both included. */
  readonly firstDevice: number
  readonly lastDevice: number
}

/** What there are readings of. */
export interface RollupPart {
  readonly fromS: number
  readonly toS: number
  /** Ids from the least to the greatest, about as many of its devices between each two: where it may be split. */
  readonly devices: readonly number[]
}

export type RollupLevel = 'hours' | 'days'

/** Where the rollups are kept. What is made once more replaces what was there, so every step may be repeated. */
export interface RollupStore {
  /** undefined before anything was made in this zone. `writtenS` is when, by the engine's clock. */
  readMarks(): Promise<(RollupMarks & { readonly writtenS: number }) | undefined>
  writeMarks(marks: RollupMarks): Promise<void>
  /** Drops all rollups, of whatever zone. */
  forgetAll(): Promise<void>
  engineNowS(): Promise<number>
  /** A range of time (Unix s), whole hours, by month, with all devices; without months of which there are no readings. */
  findBetween(fromS: number, toS: number): Promise<RollupPart[]>
  /**
   * The readings stored since an instant of the engine's clock: by day of the plant, and by hour from `byHourFromS`
   * on, for what lies between two of them would be read for nothing.
   */
  findLate(storedSinceS: number, fromS: number, toS: number, byHourFromS: number): Promise<RollupPart[]>
  /** Rows the engine reads to make a run, about: more than it takes in, for those of a device lie together for a month. */
  countRows(level: RollupLevel, run: RollupRun, storedSinceS?: number): Promise<number>
  /** Makes the hours of a run: of all its readings, or those with readings stored since an instant. */
  makeHours(run: RollupRun, storedSinceS?: number): Promise<void>
  /** Makes the days of a run, which begins and ends with a day, of its hours; or those of which readings were stored since. */
  makeDays(run: RollupRun, storedSinceS?: number): Promise<void>
}
