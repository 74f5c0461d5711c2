import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** Rows of a query as they come, each a list of its columns. */
export type Rows = (query: string, params: Record<string, unknown>) => AsyncGenerator<unknown>

/** A query may name hundreds of thousands of devices. */
const clickhouse_settings = { max_query_size: String(64 << 20) }

export const createRows =
  (client: ClickHouseClient): Rows =>
  (query, params) =>
    streamRows(client, query, params, clickhouse_settings)
