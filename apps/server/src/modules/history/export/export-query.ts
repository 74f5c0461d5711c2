/** Source of an export: the readings, or the rollups by hour or day. */
export type ExportLevel = 'raw' | 'hour' | 'day'

export interface ExportQuery {
  readonly deviceIds: readonly number[]
  readonly metricIds: readonly number[]
  readonly level: ExportLevel
  /** Unix ms, included. */
  readonly from: number
  /** Unix ms, excluded. */
  readonly to: number
}

/** Consecutive rows of one device and metric. */
export interface ExportRun {
  readonly deviceId: number
  readonly metricId: number
  /** Number of rows, at least one. */
  readonly count: number
  /**
   * The rows, separated by ROW_END. Each row is the local time of the plant (2026-11-21 08:15:00) and numbers,
   * separated by commas; a missing number is empty. For readings: value and quality bits. For rollups: total, good,
   * mean, least, greatest, first and last.
   */
  readonly rows: string
}

export const ROW_END = ';'
