/** What is exported: the readings, or what was made of them by hour or day. */
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

/** Rows of one device and metric that follow each other. */
export interface ExportRun {
  readonly deviceId: number
  readonly metricId: number
  /** How many rows it has, at least one. */
  readonly count: number
  /**
   * The rows with ROW_END between them. Each has the time of the plant (2026-11-21 08:15:00) and, behind commas, its
   * numbers, nothing where there is none: value and quality bits of a reading; of a rollup total, good, mean, least,
   * greatest, first and last.
   */
  readonly rows: string
}

export const ROW_END = ';'

/** Rows by device, metric and time, as many as there are. */
export interface ExportStore {
  /** At most so many rows: readings that were stored twice and not folded yet count twice. */
  count(query: ExportQuery): Promise<number>
  /** As they are asked for; the store keeps the rest. */
  read(query: ExportQuery): AsyncIterable<readonly ExportRun[]>
}
