import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { z } from 'zod'
import type { Config } from '../config.ts'

export type { ClickHouseClient }

/** A client of the telemetry store. It is stateless: calls are independent of each other. */
export const createClickhouse = (config: Pick<Config, 'clickhouseUrl'>): ClickHouseClient =>
  createClient({
    url: config.clickhouseUrl,
    application: 'isotherm',
    request_timeout: 30_000,
    max_open_connections: 12,
    // The caller gets the error and writes it to our log.
    log: { level: ClickHouseLogLevel.OFF },
    // Also where this process was too busy to close an idle connection before the store did.
    keep_alive: { eagerly_destroy_stale_sockets: true },
    clickhouse_settings: { date_time_input_format: 'best_effort' },
  })

/** Reads all rows of an answer into memory; the schema describes one row as a list of columns. */
export type ReadRows = <Row extends z.ZodType>(
  row: Row,
  query: string,
  params?: Record<string, unknown>,
) => Promise<z.infer<Row>[]>

/** Streams the rows of an answer, each as a list of columns. */
export async function* streamRows(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
  clickhouse_settings: { readonly max_query_size?: string } = {},
): AsyncGenerator<unknown> {
  const format = 'JSONCompactEachRow'
  const answer = await client.query({ query, query_params, clickhouse_settings, format })
  for await (const chunk of answer.stream<unknown>()) for (const row of chunk) yield row.json()
}

/** Creates a reader of rows. A query that runs longer than `limitSeconds` is cancelled and rejects. */
export const createReadRows =
  (client: ClickHouseClient, limitSeconds?: number): ReadRows =>
  async (row, query, query_params = {}) => {
    const answer = await client.query({
      query,
      query_params,
      format: 'JSONCompactEachRow',
      ...(limitSeconds === undefined ? {} : { clickhouse_settings: { max_execution_time: limitSeconds } }),
    })
    return z.array(row).parse(await answer.json())
  }

/** A row of EXPLAIN ESTIMATE: database, table, parts, rows and marks to read. */
const estimateRow = z.tuple([z.string(), z.string(), z.coerce.number(), z.coerce.number(), z.coerce.number()])

/**
 * Estimates from the indexes how many rows ClickHouse must read for a condition. `column` is any column of the table:
 * for count() ClickHouse uses metadata and estimates no rows.
 */
export async function estimateRows(
  client: ClickHouseClient,
  {
    table,
    column,
    condition,
  }: { readonly table: string; readonly column: string; readonly condition: string },
  params: Record<string, unknown>,
): Promise<number> {
  const query = `EXPLAIN ESTIMATE SELECT ${column} FROM ${table} WHERE ${condition}`
  const found = await createReadRows(client)(estimateRow, query, params)
  return found.reduce((sum, [, name, , rows]) => sum + (name === table ? rows : 0), 0)
}
