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
