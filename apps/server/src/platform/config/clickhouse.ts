import { z } from 'zod'
import type { ClickhouseCluster } from '../clickhouse/cluster.ts'
import { urlOf } from './url.ts'

/** Names that are part of statements. */
const PLAIN_NAME = /^[A-Za-z_]\w{0,63}$/

export const clickhouseEnvironment = {
  CLICKHOUSE_URL: urlOf('http', 'https').describe('URL of ClickHouse over HTTP'),
  ISOTHERM_CLICKHOUSE_CLUSTER: z
    .string()
    .regex(PLAIN_NAME, 'is not a name of letters, digits and underscores')
    .optional()
    .describe(
      'Cluster of ClickHouse that has the tables in shards and replicas, by its name in remote_servers; without it one server has them',
    ),
} as const

interface ReadVariables {
  readonly CLICKHOUSE_URL: string
  readonly ISOTHERM_CLICKHOUSE_CLUSTER?: string | undefined
}

export interface ClickhouseConfig {
  readonly clickhouseUrl: string
  /** Absent: one server of ClickHouse has the tables. */
  readonly clickhouseCluster?: ClickhouseCluster | undefined
}

/** The address, and the cluster with the database of the address. Use it after findClusterFault. */
export function toClickhouse({
  CLICKHOUSE_URL: clickhouseUrl,
  ISOTHERM_CLICKHOUSE_CLUSTER: name,
}: ReadVariables): ClickhouseConfig {
  const database = decodeURIComponent(new URL(clickhouseUrl).pathname.slice(1)) || 'default'
  return { clickhouseUrl, clickhouseCluster: name === undefined ? undefined : { name, database } }
}

/** What is wrong with the settings of a cluster, as a line for the operator. */
export function findClusterFault(read: ReadVariables): string | undefined {
  const { clickhouseCluster: cluster } = toClickhouse(read)
  if (cluster === undefined || PLAIN_NAME.test(cluster.database)) return undefined
  return 'ISOTHERM_CLICKHOUSE_CLUSTER needs a database in CLICKHOUSE_URL whose name has only letters, digits and underscores'
}
