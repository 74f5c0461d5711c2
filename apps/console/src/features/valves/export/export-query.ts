import type { OutputOf } from '@isotherm/contract/endpoint'
import { countDataRows, exportDataRows } from '@isotherm/contract/endpoints/history'
import type { MetricName } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { call, download } from '../../../shared/api/client.ts'
import type { HistoryLevel } from '../curves/history-range.ts'

/** Rows of a workbook, in as many sheets as they need; a csv file has no end. */
const MOST_WORKBOOK_ROWS = 10 * 1_048_575

export type FileKind = 'csv' | 'xlsx'

/** What is exported: these valves, or with none named every valve below the nodes. */
export interface ExportAsked {
  readonly deviceIds: readonly number[]
  readonly nodes: readonly NodeKey[]
  readonly metrics: readonly MetricName[]
  readonly level: HistoryLevel
  /** Half-open range, Unix ms. */
  readonly from: number
  readonly to: number
}

const toInput = ({ deviceIds, nodes, metrics, ...asked }: ExportAsked) => ({
  ...asked,
  deviceIds: [...deviceIds],
  nodes: [...nodes],
  metrics: [...metrics],
  kinds: ['valve' as const],
})

/** What a page shows when the export is opened, and where all valves may be taken from instead. */
export interface ExportOffer {
  readonly shown: ExportAsked
  /** Absent when what was selected was gone. */
  readonly nodes: readonly NodeKey[] | undefined
}

/**
 * What is exported of an offer: what was shown, or all of the selection. Nothing when that was gone: without nodes all
 * would be every valve of the company.
 */
export function toAsked(
  { shown, nodes }: ExportOffer,
  from: 'shown' | 'all',
  level: HistoryLevel,
): ExportAsked | undefined {
  if (from === 'all') return nodes && { ...shown, level, deviceIds: [], nodes }
  return shown.deviceIds.length > 0 ? { ...shown, level } : undefined
}

/** How many rows the file would have at most; not asked for while nothing is chosen. */
export const exportCountQuery = (asked: ExportAsked | undefined) =>
  queryOptions({
    queryKey: ['valves', 'export', asked],
    queryFn: asked ? ({ signal }) => call(countDataRows, toInput(asked), { signal }) : skipToken,
    staleTime: 0,
  })

export type ExportCount = OutputOf<typeof countDataRows>

/** Whether a workbook would be longer than the server makes one. */
export const isTooLong = (kind: FileKind, rows: number): boolean =>
  kind === 'xlsx' && rows > MOST_WORKBOOK_ROWS

/** Gets the file; how far the server is with it is told under `progressId`. */
export const downloadRows = (
  asked: ExportAsked,
  format: FileKind,
  options: {
    readonly progressId: string
    readonly signal: AbortSignal
    readonly onBytes: (bytes: number) => void
  },
) => {
  const { progressId, ...rest } = options
  return download(exportDataRows, { ...toInput(asked), format, progressId }, rest)
}

/** Share of the rows that are in the file, whole per cent; the count is of the most there may be. */
export const toDonePct = (rows: number, count: number): number =>
  count === 0 ? 100 : Math.min(100, Math.floor((100 * rows) / count))
