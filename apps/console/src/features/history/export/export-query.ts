import type { DeviceKind } from '@isotherm/contract/devices'
import type { OutputOf } from '@isotherm/contract/endpoint'
import { countDataRows, exportDataRows } from '@isotherm/contract/endpoints/monitoring/history'
import type { MetricName } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { call, download } from '../../../shared/api/client.ts'
import type { HistoryLevel } from '../curves/history-range.ts'

/** Maximum number of rows of a workbook, over all of its sheets. A CSV file has no limit. */
const MAX_WORKBOOK_ROWS = 10 * 1_048_575

export type FileKind = 'csv' | 'xlsx'

/** An export: of the given devices or, without ids, of those of the kinds below the nodes. */
export interface ExportRequest {
  readonly deviceIds: readonly number[]
  readonly nodes: readonly NodeKey[]
  readonly kinds: readonly DeviceKind[]
  readonly metrics: readonly MetricName[]
  readonly level: HistoryLevel
  /** Half-open range, Unix ms. */
  readonly from: number
  readonly to: number
}

const toInput = ({ deviceIds, nodes, kinds, metrics, ...request }: ExportRequest) => ({
  ...request,
  deviceIds: [...deviceIds],
  nodes: [...nodes],
  metrics: [...metrics],
  kinds: [...kinds],
})

/** What the user may export: the shown curves, or all devices of the kinds in the selection. */
export interface ExportOffer {
  readonly shown: ExportRequest
  /** The selection; undefined if it no longer exists. */
  readonly nodes: readonly NodeKey[] | undefined
}

/**
 * The export that the user chose; undefined if there is nothing to export. A selection that no longer exists must not
 * become an empty list of nodes, because that means every device of the company.
 */
export function toRequest(
  { shown, nodes }: ExportOffer,
  from: 'shown' | 'all',
  level: HistoryLevel,
): ExportRequest | undefined {
  if (from === 'all') return nodes && { ...shown, level, deviceIds: [], nodes }
  return shown.deviceIds.length > 0 ? { ...shown, level } : undefined
}

/** Upper bound of the rows in the file. Not fetched while nothing is chosen. */
export const exportCountQuery = (request: ExportRequest | undefined) =>
  queryOptions({
    queryKey: ['history', 'export', request],
    queryFn: request ? ({ signal }) => call(countDataRows, toInput(request), { signal }) : skipToken,
    staleTime: 0,
  })

export type ExportCount = OutputOf<typeof countDataRows>

/** True if the rows do not fit into a workbook. */
export const isTooLong = (kind: FileKind, rows: number): boolean =>
  kind === 'xlsx' && rows > MAX_WORKBOOK_ROWS

/** Downloads the file. The server pushes its progress under `progressId`. */
export const downloadRows = (
  request: ExportRequest,
  format: FileKind,
  options: {
    readonly progressId: string
    readonly signal: AbortSignal
    readonly onBytes: (bytes: number) => void
  },
) => {
  const { progressId, ...rest } = options
  return download(exportDataRows, { ...toInput(request), format, progressId }, rest)
}

/** Share of the written rows, whole %, at most 100. `count` is an upper bound. */
export const toDonePct = (rows: number, count: number): number =>
  count === 0 ? 100 : Math.min(100, Math.floor((100 * rows) / count))
