import { createTestClickhouse } from '@isotherm/engines/testkit'
import { type ClickHouseClient, createClickhouse } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from '../../../platform/clickhouse/migrate.ch.ts'
import { createLog } from '../../../platform/log.ts'
import { telemetryClickhouse } from './migrations.ch.ts'

/** A ClickHouse database with empty tables for readings and frames. */
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

/** The same client, and the number of its queries that contain a text. */
export function countQueries(client: ClickHouseClient, text: string) {
  const found = { count: 0 }
  const counting = new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (params: { query: string; format: 'JSONCompactEachRow' }) => {
        if (params.query.includes(text)) found.count += 1
        return target.query(params)
      }
    },
  })
  return { counting, found }
}
