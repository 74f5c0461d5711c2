import { z } from 'zod'
import { type ClickHouseClient, streamRows } from './clickhouse.ch.ts'

const row = z.array(z.custom<readonly number[]>((list) => Array.isArray(list)))
/** Room for a hundred thousand devices in the text of a query. */
const settings = { max_query_size: String(64 << 20) }

/**
 * Reads numbers of many rows as one list per column: parsing and validating a hundred thousand rows would take longer than computing them.
 * `columns`: the expression of each list. `from`: the rest of the query. The lists are in the same order of rows.
 */
export async function readLists<Name extends string>(
  client: ClickHouseClient,
  columns: Readonly<Record<Name, string>>,
  from: string,
  params: Record<string, unknown> = {},
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(columns) as Name[]
  const query = `SELECT ${names.map((name) => `groupArray(${columns[name]})`).join(', ')} FROM ${from}`
  let lists: readonly (readonly number[])[] = []
  for await (const given of streamRows(client, query, params, settings)) lists = row.parse(given)
  return Object.fromEntries(names.map((name, at) => [name, lists[at] ?? []])) as Record<
    Name,
    readonly number[]
  >
}
