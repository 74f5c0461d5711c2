import { Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { z } from 'zod'
import type { ClickHouseClient } from '../clickhouse/clickhouse.ch.ts'
import { type ClickhouseCluster, fromServers, onCluster, toDatabase } from '../clickhouse/cluster.ts'
import { BackupError } from './backup-error.ts'
import {
  listColumns,
  listNames,
  listReadingTables,
  openReadings,
  quoteTable,
  type ReadingsContent,
  toList,
} from './dump-readings.ch.ts'
import type { Fetch } from './load-database.pg.ts'
import { splitNativeBlocks } from './native-blocks.ts'

/** Size of an insert: large parts need few merges, and the embedded engine stores an insert in a file first. */
const INSERT_BYTES = 64 << 20

/** All tables of the database; of a cluster those of any server. */
const listAllTables = (client: ClickHouseClient): Promise<string[]> =>
  listNames(
    client,
    `SELECT DISTINCT name FROM ${fromServers(client, 'system.tables')} WHERE database = ${toDatabase(client)}`,
  )

/** Throws BackupError unless the database has no table at all. */
export async function requireEmptyReadings(
  clickhouseUrl: string,
  cluster?: ClickhouseCluster,
): Promise<void> {
  const client = openReadings(clickhouseUrl, cluster)
  try {
    const tables = await listAllTables(client)
    if (tables.length > 0)
      throw new BackupError(
        `the ClickHouse database is not empty: it has ${tables.length} tables. A restore needs an empty one; nothing was changed`,
      )
  } finally {
    await client.close()
  }
}

/** Removes what an interrupted restore left in a database that was empty before. */
export async function emptyReadings(clickhouseUrl: string, cluster?: ClickhouseCluster): Promise<void> {
  const client = openReadings(clickhouseUrl, cluster)
  try {
    for (const name of await listAllTables(client))
      await client.command({ query: `DROP TABLE IF EXISTS ${quoteTable(name)}${onCluster(client)} SYNC` })
  } finally {
    await client.close()
  }
}

async function insert(client: ClickHouseClient, target: string, blocks: readonly Buffer[]): Promise<void> {
  if (blocks.length === 0) return
  const { stream } = await client.exec({
    query: `INSERT INTO ${target} SETTINGS max_partitions_per_insert_block = 0 FORMAT Native`,
    values: Readable.from(blocks, { objectMode: false }),
  })
  await readAll(stream)
}

async function loadPart(client: ClickHouseClient, target: string, source: AsyncIterable<Uint8Array>) {
  let rows = 0
  let size = 0
  let blocks: Buffer[] = []
  for await (const block of splitNativeBlocks(source)) {
    rows += block.rows
    size += block.bytes.length
    blocks.push(block.bytes)
    if (size < INSERT_BYTES) continue
    await insert(client, target, blocks)
    blocks = []
    size = 0
  }
  await insert(client, target, blocks)
  return rows
}

/** Fills the tables that the same migrations created. */
export async function loadReadings(
  clickhouseUrl: string,
  content: ReadingsContent,
  fetch: Fetch,
  cluster?: ClickhouseCluster,
): Promise<void> {
  const client = openReadings(clickhouseUrl, cluster)
  try {
    const here = await listReadingTables(client)
    for (const { name, columns, parts } of content.tables) {
      const expected = here.includes(name) ? await listColumns(client, name) : []
      if (columns.toSorted().join() !== expected.toSorted().join())
        throw new BackupError(`table ${name} of the backup does not fit to the one that its changes create`)
      for (const { rows, file } of parts) {
        const found = await loadPart(client, `${quoteTable(name)} (${toList(columns)})`, fetch(file))
        if (found !== rows) throw new BackupError(`${file} has ${found} rows instead of ${rows}`)
      }
    }
  } finally {
    await client.close()
  }
}

/** The largest number in any of the columns; 0 if the tables are empty. */
export async function findLargest(
  clickhouseUrl: string,
  columns: readonly { readonly table: string; readonly column: string }[],
  cluster?: ClickhouseCluster,
): Promise<number> {
  const client = openReadings(clickhouseUrl, cluster)
  try {
    const each = columns.map(({ table, column }) => `(SELECT max(${column}) FROM ${quoteTable(table)})`)
    const answer = await client.query({
      query: `SELECT arrayMax([${each.join(', ')}]) AS largest`,
      format: 'JSONEachRow',
    })
    const [row] = z.array(z.object({ largest: z.coerce.number() })).parse(await answer.json())
    return row?.largest ?? 0
  } finally {
    await client.close()
  }
}
