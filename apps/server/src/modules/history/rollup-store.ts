/** How far the rollups reach, Unix s. */
export interface RollupMarks {
  /** Hours that ended before are made. */
  readonly closedS: number
  /** Of the rows the engine stored before, by its own clock. */
  readonly storedS: number
}

/** Readings of some devices within some whole hours of one month. */
export interface RollupPart {
  /** Unix s, a whole hour, included. */
  readonly fromS: number
  /** Unix s, a whole hour, excluded. */
  readonly toS: number
  /** Rows to be read for it, about. */
  readonly readings: number
  /** Ids, both included. */
  readonly firstDevice: number
  readonly lastDevice: number
}

/** Where the rollups are kept. What is made once more replaces what was there, so every step may be repeated. */
export interface RollupStore {
  /** undefined before anything was made in this zone. `writtenS` is when, by the engine's clock. */
  readMarks(): Promise<(RollupMarks & { readonly writtenS: number }) | undefined>
  writeMarks(marks: RollupMarks): Promise<void>
  /** Drops all rollups, of whatever zone. */
  forgetAll(): Promise<void>
  engineNowS(): Promise<number>
  /** All readings of a range of time (Unix s), by month; none where there are none. */
  findBetween(fromS: number, toS: number): Promise<RollupPart[]>
  /** The same of the readings stored since an instant of the engine's clock. */
  findLate(storedSinceS: number, fromS: number, toS: number): Promise<RollupPart[]>
  /** Makes the hours of a part: of all its readings, or those with readings stored since an instant. */
  makeHours(part: RollupPart, storedSinceS?: number): Promise<void>
  /** Makes the days of a part, which begins and ends with a day, of its hours; or those of which readings were stored since. */
  makeDays(part: RollupPart, storedSinceS?: number): Promise<void>
}
