import type { ClickHouseClient } from '@clickhouse/client'

/** What a message brings; the table fills in the rest by itself, for the peer as for us. */
const columns: [string, ...string[]] = [
  'device',
  'metric',
  'ts',
  'value',
  'quality',
  'received',
  'node',
  'boot',
  'seq',
  'months',
  'live',
]

/**
 * The peer: the official client inserting the rows our ingest stored into a table like theirs, read back first so
 * that they are the same rows. Returns rows a second of the inserts alone.
 */
export async function measurePlainInserts(
  client: ClickHouseClient,
  boot: number,
  rows: number,
  batchRows: number,
): Promise<number> {
  await client.command({ query: 'CREATE OR REPLACE TABLE plain_readings AS readings' })
  const found = await client.query({
    query: `SELECT ${columns.join()} FROM readings WHERE boot = {boot:UInt32} LIMIT {rows:UInt32}`,
    query_params: { boot, rows },
    format: 'JSONCompactEachRow',
  })
  const values = await found.json<unknown[]>()
  const from = performance.now()
  for (let start = 0; start < values.length; start += batchRows) {
    await client.insert({
      table: 'plain_readings',
      columns,
      values: values.slice(start, start + batchRows),
      format: 'JSONCompactEachRow',
    })
  }
  const seconds = (performance.now() - from) / 1000
  await client.command({ query: 'DROP TABLE plain_readings' })
  return values.length / seconds
}
