import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { type ClickhouseCluster, fromServers } from '../clickhouse/cluster.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const count = z.coerce.number()
const shardRow = z.object({ shard: count, replicas: count })
const macrosRow = z.object({ host: z.string(), place: z.string() })
const replicaRow = z.object({ host: z.string(), table: z.string(), readonly: count, delay: count })

/** Age of the oldest row that a replica lacks from which it is reported, s. */
const LATE_S = 60

const SEE = 'see "ClickHouse on a cluster" in docs/operations'

function judgeMacros(places: readonly z.infer<typeof macrosRow>[], servers: number): Finding[] {
  const missing = places.filter(({ place }) => !/^shard=.+,replica=.+$/.test(place)).map(({ host }) => host)
  if (missing.length > 0)
    return [fault(`ClickHouse: the macros shard and replica are missing on ${missing.join(', ')}`, SEE)]
  if (new Set(places.map(({ place }) => place)).size < servers)
    return [fault('ClickHouse: two servers have the same macros shard and replica', SEE)]
  return []
}

/** Examines whether all servers of a cluster answer, know their place and have all rows. */
export async function checkCluster(client: ClickHouseClient, cluster: ClickhouseCluster): Promise<Finding[]> {
  const read = async <Row extends z.ZodType>(row: Row, query: string): Promise<z.infer<Row>[]> => {
    const query_params = { name: cluster.name, database: cluster.database }
    const answer = await client.query({ query, query_params, format: 'JSONEachRow' })
    return z.array(row).parse(await answer.json())
  }
  const shards = await read(
    shardRow,
    `SELECT shard_num AS shard, count() AS replicas FROM system.clusters
     WHERE cluster = {name: String} GROUP BY shard_num ORDER BY shard_num`,
  )
  if (shards.length === 0)
    return [fault(`ClickHouse: it has no cluster ${cluster.name} in remote_servers`, SEE)]
  const servers = shards.reduce((sum, { replicas }) => sum + replicas, 0)
  const places = await read(
    macrosRow,
    `SELECT hostName() AS host, arrayStringConcat(arrayReverseSort(groupArrayIf(concat(macro, '=', substitution),
       macro IN ('shard', 'replica'))), ',') AS place FROM ${fromServers({ cluster }, 'system.macros')} GROUP BY host`,
  )
  const replicas = await read(
    replicaRow,
    `SELECT hostName() AS host, table, is_readonly AS readonly, absolute_delay AS delay
     FROM ${fromServers({ cluster }, 'system.replicas')}
     WHERE database = {database: String} AND (is_readonly OR absolute_delay > ${LATE_S}) ORDER BY host, table`,
  )
  const alone = shards.filter((shard) => shard.replicas === 1).map(({ shard }) => shard)
  return [
    ok(`ClickHouse: cluster ${cluster.name}, shards: ${shards.length}, servers: ${servers}`),
    ...(alone.length > 0
      ? [
          warning(
            `ClickHouse: shard ${alone.join(', ')} has one replica; its readings are on one server`,
            SEE,
          ),
        ]
      : []),
    ...judgeMacros(places, servers),
    ...replicas.map(({ host, table, readonly, delay }) =>
      readonly === 1
        ? fault(`ClickHouse: ${table} is read-only on ${host}`, 'check Keeper and the log of this server')
        : warning(
            `ClickHouse: ${table} on ${host} is ${delay} s behind`,
            'check the load and the disk of this server',
          ),
    ),
  ]
}
