import { ClickHouseLogLevel, createClient, type ClickHouseClient as Driver } from '@clickhouse/client'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { clusterSettings, type MaybeClustered } from './cluster.ts'

export type ClickHouseClient = Driver & MaybeClustered

/** A client of the telemetry store. It is stateless: calls are independent of each other. */
export function createClickhouse({
  clickhouseUrl,
  clickhouseCluster: cluster,
}: Pick<Config, 'clickhouseUrl' | 'clickhouseCluster'>): ClickHouseClient {
  const client = createClient({
    url: clickhouseUrl,
    application: 'isotherm',
    request_timeout: 30_000,
    max_open_connections: 12,
    // The caller gets the error and writes it to our log.
    log: { level: ClickHouseLogLevel.OFF },
    // Also where this process was too busy to close an idle connection before the store did.
    keep_alive: { eagerly_destroy_stale_sockets: true },
    clickhouse_settings: { date_time_input_format: 'best_effort', ...(cluster && clusterSettings) },
  })
  return Object.assign(client, { cluster })
}

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

const countRow = z.tuple([z.coerce.number()])

/** A row of EXPLAIN ESTIMATE: database, table, parts, rows and marks to read. */
const estimateRow = z.tuple([z.string(), z.string(), z.coerce.number(), z.coerce.number(), z.coerce.number()])

/**
 * Estimates from the indexes how many rows ClickHouse must read for a condition. `column` is any column of the table:
 * for count() ClickHouse uses metadata and estimates no rows. The indexes of a cluster are on its shards, which count the
 * rows instead, all at the same time.
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
  if (client.cluster) {
    const counted = `SELECT count() FROM ${table} WHERE ${condition}`
    const [row] = await createReadRows(client)(countRow, counted, params)
    return row?.[0] ?? 0
  }
  const query = `EXPLAIN ESTIMATE SELECT ${column} FROM ${table} WHERE ${condition}`
  const found = await createReadRows(client)(estimateRow, query, params)
  return found.reduce((sum, [, name, , rows]) => sum + (name === table ? rows : 0), 0)
}
