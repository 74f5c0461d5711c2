import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** Runs a query and yields its rows, each as a list of columns. */
export type Rows = (query: string, params: Record<string, unknown>) => AsyncGenerator<unknown>

/** A query can name hundreds of thousands of devices. */
const clickhouse_settings = { max_query_size: String(64 << 20) }

export const createRows =
  (client: ClickHouseClient): Rows =>
  (query, params) =>
    streamRows(client, query, params, clickhouse_settings)
