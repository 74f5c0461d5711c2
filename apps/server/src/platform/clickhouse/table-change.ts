import { type ClickhouseCluster, type MaybeClustered, onCluster, toLocalName } from './cluster.ts'

/** A new table. Its statements must be repeatable. */
export interface TableCreation {
  readonly table: string
  readonly columns: string
  /** Engine for one server, such as ReplacingMergeTree(version). */
  readonly engine: string
  /** What follows the engine: PARTITION BY, ORDER BY, TTL, SETTINGS. */
  readonly storage: string
  /** On a cluster: number that chooses the shard of a row. Rows that the engine merges must have the same. */
  readonly shardBy: string
}

/** A change of a table, in parts of ALTER TABLE, which must be repeatable. */
export interface TableChange {
  readonly table: string
  /** Changes of columns; on a cluster both tables get them. */
  readonly columns?: string
  /** Changes of what is stored: keys, indexes, mutations, settings. */
  readonly storage?: string
  /** Name in system.merge_tree_settings. A server without it skips the change; each start checks again. */
  readonly needsSetting?: string
}

export type ClickhouseMigration = TableCreation | TableChange

const isCreation = (migration: ClickhouseMigration): migration is TableCreation => 'engine' in migration

/** The engine of each replica. Replicas find each other by the path; {shard} and {replica} are macros of the servers. */
function toReplicated(engine: string): string {
  const [name = '', given = ''] = engine.replace(/\)$/, '').split('(')
  const place = `'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`
  return `Replicated${name}(${given === '' ? place : `${place}, ${given}`})`
}

function toCreateStatements(creation: TableCreation, cluster: ClickhouseCluster | undefined): string[] {
  const { table, columns, engine, storage, shardBy } = creation
  if (!cluster)
    return [`CREATE TABLE IF NOT EXISTS ${table} (\n  ${columns}\n) ENGINE = ${engine} ${storage}`]
  const everywhere = onCluster({ cluster })
  const local = toLocalName(table)
  return [
    `CREATE TABLE IF NOT EXISTS ${local}${everywhere} (\n  ${columns}\n) ENGINE = ${toReplicated(engine)} ${storage}`,
    `CREATE TABLE IF NOT EXISTS ${table}${everywhere} AS ${cluster.database}.${local}
ENGINE = Distributed(${cluster.name}, ${cluster.database}, ${local}, ${shardBy})`,
  ]
}

const alter = (table: string, ...changes: readonly (string | undefined)[]): string =>
  `ALTER TABLE ${table} ${changes.filter((change) => change !== undefined).join(', ')}`

/** The statements of a change, in order: for one server, or for all servers of a cluster. */
export function toStatements(migration: ClickhouseMigration, { cluster }: MaybeClustered): string[] {
  if (isCreation(migration)) return toCreateStatements(migration, cluster)
  const { table, columns, storage } = migration
  if (!cluster) return [alter(table, columns, storage)]
  const everywhere = onCluster({ cluster })
  return [
    alter(`${toLocalName(table)}${everywhere}`, columns, storage),
    ...(columns === undefined ? [] : [alter(`${table}${everywhere}`, columns)]),
  ]
}
