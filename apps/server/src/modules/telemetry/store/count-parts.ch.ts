import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { type CountParts, countMonths, toMonthOf } from '../messages/row-binary.ts'

const shardRow = z.tuple([z.coerce.number(), z.coerce.number()])

/**
 * Counts the parts of a message on shards: its pairs of month and shard. `shards`: number and weight of each. As the
 * engine Distributed does, it gives the remainders of a device's id to the shards in their order, as many as their weight.
 */
export function createCountParts(shards: readonly (readonly [shard: number, weight: number])[]): CountParts {
  const slots = shards.flatMap(([shard, weight]) => Array<number>(weight).fill(shard))
  return ({ samples }) =>
    new Set(samples.map(({ device, ts }) => `${slots[device.id % slots.length]} ${toMonthOf(ts)}`)).size
}

/** How the store counts the parts of messages now: shards can be added while servers run. */
export async function readCountParts(client: ClickHouseClient): Promise<CountParts> {
  if (!client.cluster) return countMonths
  const query = `SELECT shard_num, any(shard_weight) FROM system.clusters WHERE cluster = {name: String}
    GROUP BY shard_num ORDER BY shard_num`
  const shards = await createReadRows(client)(shardRow, query, { name: client.cluster.name })
  if (shards.length === 0) throw new Error(`ClickHouse has no cluster ${client.cluster.name}`)
  return createCountParts(shards)
}
