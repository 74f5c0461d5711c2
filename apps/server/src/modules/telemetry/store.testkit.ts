import { createTestClickhouse } from '@isotherm/engines/testkit'
import { createClickhouse } from '../../platform/clickhouse.ch.ts'
import { createLog } from '../../platform/log.ts'
import { migrateClickhouse } from '../../platform/migrate.ch.ts'
import { telemetryClickhouse } from './migrations.ch.ts'

/** A ClickHouse with the tables of readings and frames, and nothing in them. */
export async function startTestStore() {
  const database = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  await migrateClickhouse(client, [telemetryClickhouse], createLog({ logLevel: 'silent' }))
  return {
    client,
    async close() {
      await client.close()
      await database.drop()
    },
  }
}
