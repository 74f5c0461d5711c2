/** ClickHouse servers that share the tables: shards by device, each on several replicas (ADR 135). */
export interface ClickhouseCluster {
  /** Name in the configuration of the servers; letters, digits and underscores. */
  readonly name: string
  /** Database of the tables on every server; letters, digits and underscores. */
  readonly database: string
}

/** Who has a cluster; a client of ClickHouse. Without one, the tables are on one server. */
export interface MaybeClustered {
  readonly cluster?: ClickhouseCluster | undefined
}

const LOCAL = '_local'

/** Name of the table that stores the rows on each server. On a cluster the table without the suffix is Distributed. */
export const toLocalName = (table: string): string => `${table}${LOCAL}`

/** The table that stores the rows: what partitions and parts belong to. */
export const toStoring = ({ cluster }: MaybeClustered, table: string): string =>
  cluster ? toLocalName(table) : table

/** The table that stores the rows, for a subquery that each shard runs on its own rows. */
export const toOwnTable = ({ cluster }: MaybeClustered, table: string): string =>
  cluster ? `${cluster.database}.${toLocalName(table)}` : table

/** Makes a change of a table run on every server. */
export const onCluster = ({ cluster }: MaybeClustered): string =>
  cluster ? ` ON CLUSTER ${cluster.name}` : ''

/** Name of the database as SQL. A server that gets a part of a query has another current database. */
export const toDatabase = ({ cluster }: MaybeClustered): string =>
  cluster ? `'${cluster.database}'` : 'currentDatabase()'

/** A system table, or a table function, over one replica of each shard. */
export const fromShards = ({ cluster }: MaybeClustered, source: string): string =>
  cluster ? `cluster('${cluster.name}', ${source})` : source

/** A system table over all servers. */
export const fromServers = ({ cluster }: MaybeClustered, source: string): string =>
  cluster ? `clusterAllReplicas('${cluster.name}', ${source})` : source

/** IN for a subquery over a table of all shards: on a cluster it runs once, and every shard gets its result. */
export const toIn = ({ cluster }: MaybeClustered): string => (cluster ? 'GLOBAL IN' : 'IN')

/**
 * Settings of every statement on a cluster (ADR 135).
 * An insert is answered when its rows are on a quorum of the replicas of each shard. The quorum must end before the request
 * does, so that its error arrives. Blocks are not compared with earlier ones: a block whose first attempt had no quorum must be
 * written again, and rows with the same key are merged anyway.
 * All reads and writes go to the first replica of a shard that answers, on whichever server a request arrives: another one may
 * lack the newest rows. An INSERT … SELECT between two tables of all shards would ignore that and read the replica on the server that
 * the request reached.
 */
export const clusterSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_timeout: 20_000,
  insert_deduplicate: 0,
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  parallel_distributed_insert_select: '0',
  distributed_ddl_task_timeout: '25',
  alter_sync: '2',
} as const
