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

/** Numbers of a row as they are kept, behind the device, the metric and the local time. */
export interface ExportRow {
  readonly deviceId: number
  readonly metricId: number
  /** Of the plant: 2026-11-21 08:15:00. */
  readonly time: string
  /** Value and quality bits of a reading; of a rollup total, good, mean, least, greatest, first and last. */
  readonly numbers: readonly string[]
}

/** Rows by device, metric and time, as many as there are. */
export interface ExportStore {
  /** At most so many rows: readings that were stored twice and not folded yet count twice. */
  count(query: ExportQuery): Promise<number>
  /** As they are asked for; the store keeps the rest. */
  read(query: ExportQuery): AsyncIterable<readonly ExportRow[]>
}
