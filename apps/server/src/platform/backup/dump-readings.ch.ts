import { isDeepStrictEqual } from 'node:util'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { z } from 'zod'
import type { ClickHouseClient } from '../clickhouse/clickhouse.ch.ts'
import {
  type ClickhouseCluster,
  clusterSettings,
  fromShards,
  toDatabase,
  toStoring,
} from '../clickhouse/cluster.ts'
import { BackupError } from './backup-error.ts'
import type { Store } from './dump-database.pg.ts'
import type { Manifest } from './manifest.ts'
import { splitNativeBlocks } from './native-blocks.ts'

export type ReadingsContent = Manifest['clickhouse']

const MIGRATIONS = 'ch_migrations'
/** Maximum time in which ClickHouse sends nothing during a statement. */
const SILENCE_MS = 600_000

const nameRow = z.object({ name: z.string() })

/** A client for statements that run long. */
export function openReadings(clickhouseUrl: string, cluster?: ClickhouseCluster): ClickHouseClient {
  const client = createClient({
    url: clickhouseUrl,
    application: 'isotherm backup',
    request_timeout: SILENCE_MS,
    log: { level: ClickHouseLogLevel.OFF },
    // This process may have been too busy to close an idle connection before ClickHouse closed it.
    keep_alive: { eagerly_destroy_stale_sockets: true },
    clickhouse_settings: cluster ? clusterSettings : {},
  })
  return Object.assign(client, { cluster })
}

export async function listNames(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<string[]> {
  const answer = await client.query({ query, query_params, format: 'JSONEachRow' })
  return z
    .array(nameRow)
    .parse(await answer.json())
    .map(({ name }) => name)
}

const quote = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
export const toList = (names: readonly string[]): string => names.map(quote).join(', ')
export const quoteTable = quote

/** All tables of the database but the one of the migrations; on a cluster those over all shards. */
export const listReadingTables = (client: ClickHouseClient): Promise<string[]> =>
  listNames(
    client,
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name != '${MIGRATIONS}'
       ${client.cluster ? "AND engine = 'Distributed'" : ''} ORDER BY name`,
  )

/** Columns that an insert may name. */
export const listColumns = (client: ClickHouseClient, table: string): Promise<string[]> =>
  listNames(
    client,
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table: String}
       AND default_kind IN ('', 'DEFAULT') ORDER BY position`,
    { table },
  )

const listPartitions = (client: ClickHouseClient, table: string): Promise<string[]> =>
  listNames(
    client,
    `SELECT DISTINCT partition_id AS name FROM ${fromShards(client, 'system.parts')}
     WHERE database = ${toDatabase(client)} AND table = {table: String} AND active ORDER BY name`,
    { table: toStoring(client, table) },
  )

/** Columns whose values the format writes as a dictionary are selected as plain values, which an insert converts. */
async function listPlainValues(
  client: ClickHouseClient,
  table: string,
): Promise<ReadonlyMap<string, string>> {
  const query = `SELECT concat(name, ' ', type) AS name FROM system.columns
    WHERE database = currentDatabase() AND table = {table: String} AND startsWith(type, 'LowCardinality(')`
  const found = await listNames(client, query, { table })
  return new Map(
    found.map((text) => {
      const [name = '', type = ''] = text.split(' LowCardinality(')
      return [name, `CAST(${quote(name)}, '${type.slice(0, -1)}') AS ${quote(name)}`]
    }),
  )
}

/** The rows of one month as the engine has them when the statement begins. */
async function dumpPartition(
  client: ClickHouseClient,
  table: string,
  columns: readonly string[],
  partition: string,
  store: Store,
) {
  let rows = 0
  const plain = await listPlainValues(client, table)
  const values = columns.map((name) => plain.get(name) ?? quote(name)).join(', ')
  async function* follow() {
    const { stream } = await client.exec({
      query: `SELECT ${values} FROM ${quote(table)} WHERE _partition_id = {partition: String} FORMAT Native`,
      query_params: { partition },
      // One thread leaves the others to the storing of new readings.
      clickhouse_settings: {
        max_threads: 1,
        max_execution_time: 0,
      },
    })
    for await (const block of splitNativeBlocks(stream)) {
      if (block.columns.join() !== columns.join())
        throw new BackupError(`ClickHouse sent other columns than those of ${table}`)
      rows += block.rows
      if (block.rows > 0) yield block.bytes
    }
  }
  const file = `clickhouse-${table}-${partition}.zst`
  await store(file, follow())
  return { partition, rows, file }
}

/** The tables with their columns, and the applied changes. */
async function readSchema(client: ClickHouseClient) {
  const columns = new Map<string, string[]>()
  for (const name of await listReadingTables(client)) columns.set(name, await listColumns(client, name))
  const recorded = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = '${MIGRATIONS}'`
  const isMigrated = (await listNames(client, recorded)).length > 0
  const migrations = isMigrated
    ? await listNames(client, `SELECT DISTINCT name FROM ${MIGRATIONS} ORDER BY name`)
    : []
  return { columns, migrations }
}

/**
 * Copies all tables, those in `first` first and in their order. Each month of a table is one statement, which reads
 * what is stored when it begins. Others read and write meanwhile. Throws BackupError if the schema changes meanwhile:
 * ClickHouse cannot lock it, and the copied columns would not match the recorded migrations.
 */
export async function dumpReadings(
  clickhouseUrl: string,
  store: Store,
  first: readonly string[],
  cluster?: ClickhouseCluster,
): Promise<ReadingsContent> {
  const client = openReadings(clickhouseUrl, cluster)
  try {
    const [version = ''] = await listNames(client, 'SELECT version() AS name')
    const schema = await readSchema(client)
    const all = [...schema.columns.keys()]
    const order = [
      ...first.filter((name) => all.includes(name)),
      ...all.filter((name) => !first.includes(name)),
    ]
    const tables: ReadingsContent['tables'] = []
    for (const name of order) {
      const columns = schema.columns.get(name) ?? []
      const parts: ReadingsContent['tables'][number]['parts'] = []
      for (const partition of await listPartitions(client, name))
        parts.push(await dumpPartition(client, name, columns, partition, store))
      tables.push({ name, columns, parts })
    }
    if (!isDeepStrictEqual(await readSchema(client), schema))
      throw new BackupError('the tables of ClickHouse were changed meanwhile; make the backup again')
    return { version, migrations: schema.migrations, tables }
  } finally {
    await client.close()
  }
}
