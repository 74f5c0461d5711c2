import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type countDataRows,
  type exportDataRows,
  maxBucketDays,
} from '@isotherm/contract/endpoints/monitoring/history'
import { MAX_HISTORY_DAYS } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { FileAnswer } from '../../../platform/http/handlers.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { CSV_TYPE } from '../../../platform/spreadsheet/csv-writer.ts'
import { SHEET_ROWS } from '../../../platform/spreadsheet/workbook-writer.ts'
import { createReaderSlots } from '../../../platform/tasks/reader-slots.ts'
import type { DeviceDirectory, DevicesService } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { checkDevices } from '../queries/check-devices.ts'
import { checkRange, toMetricIds } from '../queries/check-query.ts'
import { listBelow } from '../queries/devices-below.ts'
import { exportTexts, type Label, type LabelledRuns, toCsv, toSheets } from './export-files.ts'
import type { ExportTracker } from './export-progress.ts'
import type { ExportQuery, ExportRun } from './export-query.ts'

export interface ExportServiceOptions {
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly devices: Pick<DevicesService, 'getDevices' | 'listLabels'>
  readonly directory: Pick<DeviceDirectory, 'below' | 'findById'>
  /** Upper limit of the number of rows; see countExportRows. */
  readonly countRows: (query: ExportQuery) => Promise<number>
  readonly readRows: (query: ExportQuery) => AsyncIterable<readonly ExportRun[]>
  readonly tracker: ExportTracker
}

/** Exports of history. The nodes and devices of a call are already checked; its scope limits the rows. */
export interface ExportService {
  countRows(call: Call, input: InputOf<typeof countDataRows>): Promise<OutputOf<typeof countDataRows>>
  /**
   * One export at a time per account. Throws transfer.too-many-rows for a workbook beyond the limit of spreadsheets.
   */
  exportRows(call: Call, input: InputOf<typeof exportDataRows>): Promise<FileAnswer>
}

/** Exports that run at the same time. */
const MAX_EXPORTS = 3
/** Devices per query. Their labels are held in memory. */
const DEVICES_AT_ONCE = 1_000
/** Limit of rows of a workbook: ten sheets. A csv file has no limit. */
const MAX_WORKBOOK_ROWS = 10 * SHEET_ROWS

export function createExportService(options: ExportServiceOptions): ExportService {
  const { network, devices, directory, countRows, readRows, tracker } = options
  const slots = createReaderSlots(MAX_EXPORTS)

  async function toQuery(scope: Scope, input: InputOf<typeof countDataRows>): Promise<ExportQuery> {
    const { level, from, to } = input
    checkRange({ from, to }, level === 'raw' ? MAX_HISTORY_DAYS : maxBucketDays.day)
    const metricIds = toMetricIds(input.metrics)
    const named = await checkDevices(options, scope, input.deviceIds)
    const paths = await network.resolveNodes(scope, input.nodes)
    const deviceIds =
      named.length > 0
        ? named.toSorted((left, right) => left - right)
        : await listBelow(directory, paths, input.kinds)
    return { deviceIds, metricIds, level, from, to }
  }

  async function* readLabelled(query: ExportQuery): AsyncGenerator<LabelledRuns> {
    for (let start = 0; start < query.deviceIds.length; start += DEVICES_AT_ONCE) {
      const deviceIds = query.deviceIds.slice(start, start + DEVICES_AT_ONCE)
      // The scope was checked at the start. A device that was removed since has no label.
      const found = await devices.listLabels(deviceIds)
      const labels = new Map(
        found.map(({ id, imei, name, nestaddr }): [number, Label] => [id, [imei, name, nestaddr]]),
      )
      for await (const runs of readRows({ ...query, deviceIds })) yield { labels, runs }
    }
  }

  return {
    async countRows({ caller }, input) {
      const query = await toQuery(caller.scope, input)
      return { devices: query.deviceIds.length, rows: await countRows(query) }
    },

    async exportRows({ caller, language, operation }, { format, progressId, ...input }) {
      slots.requireFree(caller.accountId)
      const query = await toQuery(caller.scope, input)
      const fileName = `${exportTexts[language].file}-${new Date(operation.at).toISOString().slice(0, 10)}.${format}`
      const track = (toBytes: (pieces: AsyncIterable<LabelledRuns>) => AsyncIterable<Buffer>) =>
        tracker.track({ accountId: caller.accountId, progressId }, readLabelled(query), toBytes)
      if (format === 'csv') {
        const csv = () => track((pieces) => toCsv(language, query.level, pieces))
        return { fileName, type: CSV_TYPE, bytes: slots.readInSlot(caller.accountId, csv) }
      }
      const rows = await countRows(query)
      if (rows > MAX_WORKBOOK_ROWS)
        throw new AppError('transfer.too-many-rows', { rows, limit: MAX_WORKBOOK_ROWS })
      const workbook = () => track((pieces) => toSheets(language, query.level, rows, pieces))
      return { fileName, bytes: slots.readInSlot(caller.accountId, workbook) }
    },
  }
}
