import type { ExportProgress } from '@isotherm/contract/export-progress'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { DeviceDirectory, Devices, DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { toHeatingSeason } from './calendar/heating-season.ts'
import { createLocalDays } from './calendar/local-days.ts'
import { createExportTracker, exportEvent } from './export/export-progress.ts'
import { countExportRows, readExportRows } from './export/export-rows.ch.ts'
import { createExportService } from './export/export-service.ts'
import { createHistoryHandlers, type HistoryHandlers } from './handlers.ts'
import { readBuckets } from './queries/buckets.ch.ts'
import { readCurves } from './queries/curves.ch.ts'
import { createHistoryService } from './queries/history-service.ts'
import { createRows } from './queries/rows.ch.ts'
import { readSpread } from './queries/spread.ch.ts'
import { createQueryLimits } from './query-limits.ts'
import { dropExpired, toRetainedSince } from './retention.ch.ts'
import { historyClickhouse } from './rollups/migrations.ch.ts'
import { buildRollups } from './rollups/rollup-queries.ch.ts'
import { createRollups } from './rollups/rollups.ts'

export { type HeatingSeason, type MonthDay, toHeatingSeason } from './calendar/heating-season.ts'
export { toDeviceSet } from './queries/device-set.ch.ts'
export { historyClickhouse } from './rollups/migrations.ch.ts'

export interface HistoryOptions {
  /** A separate client: long queries must not occupy the connections for inserts. */
  readonly clickhouse: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'history'>
  readonly devices: Pick<DevicesService, 'getDevices' | 'listLabels' | 'listReplaced'>
  readonly directory: Pick<DeviceDirectory, 'below' | 'findById'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly signals: Pick<Signals, 'listen' | 'send'>
}

/** Past readings, their rollups by hour and day, and their retention. */
export interface History {
  readonly handlers: HistoryHandlers
  /** Starts to build rollups. */
  start(): void
  /** Notifies of the progress of exports on any server, with the account of each. Returns a function that stops it. */
  onExport(listener: (accountId: number, progress: ExportProgress) => void): () => void
  close(): Promise<void>
}

export function createHistory(options: HistoryOptions): History {
  const { clickhouse, clock, log } = options
  const { timeZone, heatingSeason, retentionDays } = options.config.history
  const days = createLocalDays(timeZone)
  const rollups = createRollups({
    client: clickhouse,
    zone: timeZone,
    build: (build) => buildRollups(clickhouse, timeZone, build),
    days,
    clock,
    log,
    retainedSince: (nowMs) => toRetainedSince(retentionDays.readings, nowMs),
    async afterPass() {
      const dropped = await dropExpired(clickhouse, retentionDays, clock.now())
      if (dropped.length > 0) log.info({ dropped }, 'dropped expired months')
    },
  })
  const calendar = { zone: timeZone, season: toHeatingSeason(heatingSeason) }
  const limits = createQueryLimits()
  const rows = createRows(clickhouse)
  const tracker = createExportTracker({
    clock,
    log,
    notify: (event) => options.signals.send('export_changed', JSON.stringify(event)),
  })
  return {
    handlers: createHistoryHandlers(
      createHistoryService({
        ...options,
        readCurves: (query) => limits.curves(() => readCurves(rows, query, rollups.closedMs(), days)),
        readBuckets: (query) =>
          limits.sums(() => readBuckets(rows, query, rollups.closedMs(), days, calendar)),
        readSpread: (query) => limits.sums(() => readSpread(rows, query, days, calendar)),
      }),
      createExportService({
        ...options,
        countRows: (query) => limits.sums(() => countExportRows(clickhouse, timeZone, query)),
        readRows: (query) => readExportRows(clickhouse, timeZone, query),
        tracker,
      }),
    ),
    start: rollups.start,
    onExport: (listener) =>
      options.signals.listen('export_changed', (payload) => {
        if (payload === undefined) return
        const { accountId, ...progress } = exportEvent.parse(JSON.parse(payload))
        listener(accountId, progress)
      }),
    close: rollups.close,
  }
}

export interface HistoryDependencies
  extends Pick<ServerResources, 'config' | 'queryClickhouse' | 'clock' | 'log' | 'signals'> {
  readonly devices: Devices
  readonly network: NetworkService
}

/** Stored readings: queries, rollups by hour and day, exports, retention. */
export const historyModule = {
  clickhouseMigrations: historyClickhouse,
  create: ({ queryClickhouse, devices, ...server }: HistoryDependencies) =>
    createHistory({
      ...server,
      clickhouse: queryClickhouse,
      devices: devices.service,
      directory: devices.directory,
    }),
} satisfies ServerModule
