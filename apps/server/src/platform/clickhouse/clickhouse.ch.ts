import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { z } from 'zod'
import type { Config } from '../config.ts'

export type { ClickHouseClient }

/** A client of the telemetry store. It keeps no connection that matters: each call stands for itself. */
export const createClickhouse = (config: Pick<Config, 'clickhouseUrl'>): ClickHouseClient =>
  createClient({
    url: config.clickhouseUrl,
    application: 'isotherm',
    request_timeout: 30_000,
    max_open_connections: 12,
    // Whoever asked hears of a failure and says it in our own log.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { date_time_input_format: 'best_effort' },
  })

/** Rows of an answer, each a list of its columns as the schema says; all of them in memory. */
export type ReadRows = <Row extends z.ZodType>(
  row: Row,
  query: string,
  params?: Record<string, unknown>,
) => Promise<z.infer<Row>[]>

/** Rows of an answer as they come, each a list of its columns. */
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

/** Asks for rows; what takes the store longer than `mostSeconds` is given up, and rejects. */
export const createReadRows =
  (client: ClickHouseClient, mostSeconds?: number): ReadRows =>
  async (row, query, query_params = {}) => {
    const answer = await client.query({
      query,
      query_params,
      format: 'JSONCompactEachRow',
      ...(mostSeconds === undefined ? {} : { clickhouse_settings: { max_execution_time: mostSeconds } }),
    })
    return z.array(row).parse(await answer.json())
  }

/** What EXPLAIN ESTIMATE says of a table: its database, name, parts, rows and blocks that are read. */
const estimateRow = z.tuple([z.string(), z.string(), z.coerce.number(), z.coerce.number(), z.coerce.number()])

/**
 * How many rows of a table must be gone through for those that a condition leaves, by the indexes alone. `column` is any of
 * it: count() the store answers for whole parts without reading any, and estimates none.
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
