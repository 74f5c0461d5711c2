import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'

/** Rows of a query as they come, each a list of its columns. */
export type Rows = (query: string, params: Record<string, unknown>) => AsyncGenerator<unknown>

/** A query may name hundreds of thousands of devices. */
const clickhouse_settings = { max_query_size: String(64 << 20) }

export const createRows = (client: ClickHouseClient): Rows =>
  async function* rows(query, query_params) {
    const answer = await client.query({
      query,
      query_params,
      clickhouse_settings,
      format: 'JSONCompactEachRow',
    })
    for await (const chunk of answer.stream<unknown>()) for (const row of chunk) yield row.json()
  }
