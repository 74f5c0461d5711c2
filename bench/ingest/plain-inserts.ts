import type { ClickHouseClient } from '@clickhouse/client'

/** Inserted columns. The table computes the others, both for the peer and for the server. */
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
 * The peer: the official ClickHouse client. It reads the rows that our ingest stored and inserts them into an equal table.
 * Returns the rows per second of the inserts alone.
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
