import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import { createCallerGate } from '../../platform/tasks/turns/caller-gate.ts'
import { createTimeZone } from '../../platform/time-zone.ts'
import type { Devices } from '../devices/index.ts'
import { toHeatingSeason } from '../history/index.ts'
import type { Meters } from '../meters/index.ts'
import type { NetworkService } from '../network/index.ts'
import { createStatisticsHandlers } from './handlers.ts'
import { createAvailabilityReport } from './reports/availability.ts'
import { createBalanceReport } from './reports/balance.ts'
import { createHeatReport } from './reports/heat.ts'
import { createComfortReport, createMovesReport, createPumpsReport } from './reports/summed-reports.ts'
import { createStatisticsService } from './service.ts'

export { reportTexts } from './report-file.ts'

export interface StatisticsDependencies extends Pick<ServerResources, 'config' | 'db' | 'queryClickhouse'> {
  readonly devices: Pick<Devices, 'directory'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly meters: Meters
}

/** A report may read a season of a company; the engine also has to take in readings. */
const LIMITS = { running: 2, waiting: 20 } as const

/** Statistical reports by level of the tree and time. */
export const statisticsModule = {
  create({ config, db, queryClickhouse, devices: { directory }, network, meters }: StatisticsDependencies) {
    const summed = { db, directory, clickhouse: queryClickhouse }
    const zone = createTimeZone(config.history.timeZone)
    const statistics = createStatisticsService({
      db,
      network,
      meters,
      season: toHeatingSeason(config.history.heatingSeason),
      gate: createCallerGate(LIMITS),
      reports: {
        balance: createBalanceReport(db, queryClickhouse),
        comfort: createComfortReport(summed),
        pumps: createPumpsReport(summed),
        moves: createMovesReport(summed),
        heat: createHeatReport({ db, directory, meters }),
        availability: createAvailabilityReport({ directory, clickhouse: queryClickhouse, zone }),
      },
    })
    return { handlers: createStatisticsHandlers(statistics), summarize: statistics.summarize }
  },
} satisfies ServerModule
