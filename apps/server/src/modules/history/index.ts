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
import { createExportService } from './export/export-service.ts'
import { createExportStore } from './export/export-store.ch.ts'
import { createHistoryHandlers, type HistoryHandlers } from './handlers.ts'
import { createHistoryService } from './queries/history-service.ts'
import { createHistoryStore } from './queries/history-store.ch.ts'
import { limitQueries } from './query-limits.ts'
import { dropExpired, toRetainedSince } from './retention.ch.ts'
import { historyClickhouse } from './rollups/migrations.ch.ts'
import { createRollupStore } from './rollups/rollup-store.ch.ts'
import { createRollups } from './rollups/rollups.ts'

export { historyClickhouse } from './rollups/migrations.ch.ts'

export interface HistoryOptions {
  /** A separate client: long queries must not occupy the connections for inserts. */
  readonly clickhouse: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'history'>
  readonly devices: Pick<DevicesService, 'getDevices' | 'listLabels'>
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById'>
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
  const rollups = createRollups({
    store: createRollupStore(clickhouse, timeZone),
    days: createLocalDays(timeZone),
    clock,
    log,
    retainedSince: (nowMs) => toRetainedSince(retentionDays.readings, nowMs),
    async afterPass() {
      const dropped = await dropExpired(clickhouse, retentionDays, clock.now())
      if (dropped.length > 0) log.info({ dropped }, 'dropped expired months')
    },
  })
  const calendar = { zone: timeZone, season: toHeatingSeason(heatingSeason) }
  const { history, exports } = limitQueries(
    createHistoryStore(clickhouse, calendar, rollups.closedMs),
    createExportStore(clickhouse, timeZone),
  )
  const tracker = createExportTracker({
    clock,
    log,
    notify: (event) => options.signals.send('export_changed', JSON.stringify(event)),
  })
  return {
    handlers: createHistoryHandlers(
      createHistoryService({ ...options, store: history }),
      createExportService({ ...options, exports, tracker }),
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
