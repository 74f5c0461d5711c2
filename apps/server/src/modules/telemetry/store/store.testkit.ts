import { type ClickHouseClient, createClickhouse } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { createServerClickhouse } from '../../../testing/clickhouse-database.testkit.ts'

/** A ClickHouse database with the empty tables of a server. */
export async function startTestStore() {
  const database = await createServerClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
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
