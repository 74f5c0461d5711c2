import { createTestClickhouse, type TestDatabase } from '@isotherm/engines/testkit'
import { historyClickhouse } from '../modules/history/rollups/migrations.ch.ts'
import { telemetryClickhouse } from '../modules/telemetry/store/migrations.ch.ts'
import { createClickhouse } from '../platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from '../platform/clickhouse/migrate.ch.ts'
import { createLog } from '../platform/log.ts'

/** A ClickHouse database with the tables of a server, without rows. It is a copy of a template. */
export const createServerClickhouse = (): Promise<TestDatabase> =>
  createTestClickhouse({
    name: 'server',
    async make(clickhouseUrl) {
      const client = createClickhouse({ clickhouseUrl })
      try {
        const log = createLog({ logLevel: 'silent' })
        await migrateClickhouse(client, [telemetryClickhouse, historyClickhouse], log)
      } finally {
        await client.close()
      }
    },
  })
