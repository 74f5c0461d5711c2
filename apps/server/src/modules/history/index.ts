import type { ExportProgress } from '@isotherm/contract/export-progress'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { DeviceDirectory, DevicesService } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { toHeatingSeason } from './calendar/heating-season.ts'
import { createLocalDays } from './calendar/local-days.ts'
import { createExportNews, exportNews } from './export/export-progress.ts'
import { createExportService } from './export/export-service.ts'
import { createExportStore } from './export/export-store.ch.ts'
import { createHistoryHandlers, type HistoryHandlers } from './handlers.ts'
import { createHistoryService } from './queries/history-service.ts'
import { createHistoryStore } from './queries/history-store.ch.ts'
import { inTurn } from './query-limits.ts'
import { createRetentionStore } from './retention.ch.ts'
import { dropExpired, toKeptSince } from './retention.ts'
import { createRollupStore } from './rollups/rollup-store.ch.ts'
import { createRollups } from './rollups/rollups.ts'

export { historyClickhouse } from './rollups/migrations.ch.ts'

export interface HistoryOptions {
  /** Not the one that readings are stored by: long questions take its connections. */
  readonly clickhouse: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'history'>
  readonly devices: Pick<DevicesService, 'getDevices' | 'listLabels'>
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly signals: Pick<Signals, 'listen' | 'send'>
}

/** What was read, what is made of it by hour and day, and for how long it is kept. */
export interface History {
  readonly handlers: HistoryHandlers
  /** Makes rollups from now on. */
  start(): void
  /** Calls `heard` whenever an export got on, on whichever server, with the account it belongs to. */
  onExport(heard: (accountId: number, progress: ExportProgress) => void): () => void
  close(): Promise<void>
}

export function createHistory(options: HistoryOptions): History {
  const { clickhouse, clock, log } = options
  const { timeZone, heatingSeason, keptDays } = options.config.history
  const retention = createRetentionStore(clickhouse)
  const rollups = createRollups({
    store: createRollupStore(clickhouse, timeZone),
    days: createLocalDays(timeZone),
    clock,
    log,
    keptSince: (nowMs) => toKeptSince(keptDays.readings, nowMs),
    async afterPass() {
      const dropped = await dropExpired(retention, keptDays, clock.now())
      if (dropped.length > 0) log.info({ dropped }, 'dropped what is kept no longer')
    },
  })
  const calendar = { zone: timeZone, season: toHeatingSeason(heatingSeason) }
  const { history, exports } = inTurn(
    createHistoryStore(clickhouse, calendar, rollups.closedMs),
    createExportStore(clickhouse, timeZone),
  )
  const news = createExportNews({
    clock,
    log,
    tell: (told) => options.signals.send('export_changed', JSON.stringify(told)),
  })
  return {
    handlers: createHistoryHandlers(
      createHistoryService({ ...options, store: history }),
      createExportService({ ...options, exports, news }),
    ),
    start: rollups.start,
    onExport: (heard) =>
      options.signals.listen('export_changed', (payload) => {
        if (payload === undefined) return
        const { accountId, ...progress } = exportNews.parse(JSON.parse(payload))
        heard(accountId, progress)
      }),
    close: rollups.close,
  }
}
