/** Ends of the register of a device around a range. Days are 0 if there is no such reading. */
export interface RegisterEnds {
  readonly device: number
  readonly firstDay: number
  readonly first: number
  /** Last reading before the range. */
  readonly beforeDay: number
  readonly before: number
  /** Last reading in the range. */
  readonly lastDay: number
  readonly last: number
  /** First reading after the range. */
  readonly afterDay: number
  readonly after: number
  /** Days of the range with readings. */
  readonly days: number
  /** Whether a value may have fallen: then the days must be read to find out what happened. */
  readonly isSuspect: boolean
}
