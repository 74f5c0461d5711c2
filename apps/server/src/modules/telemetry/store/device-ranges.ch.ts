import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { fromShards, toDatabase, toStoring } from '../../../platform/clickhouse/cluster.ts'

/** Ids of devices, both ends included. */
export interface DeviceRange {
  readonly first: number
  readonly last: number
}

const LAST_DEVICE = 2 ** 32 - 1
export const ALL_DEVICES: DeviceRange = { first: 0, last: LAST_DEVICE }

/** First month (partition) with readings since `since`, Unix ms. Older partitions are not read. */
const FIRST_MONTH = "toYYYYMM(fromUnixTimestamp64Milli({since: Int64}, 'UTC'))"

const countRow = z.tuple([z.coerce.number()])
const boundsRow = z.tuple([z.array(z.number())])

/** Number of readings in the partitions since an instant (Unix ms), from the statistics of the store. */
export async function countInMonths(client: ClickHouseClient, since: number): Promise<number> {
  const query = `SELECT sum(rows) FROM ${fromShards(client, 'system.parts')}
    WHERE active AND database = ${toDatabase(client)} AND table = '${toStoring(client, 'readings')}'
      AND toUInt32OrZero(partition) >= ${FIRST_MONTH}`
  for await (const row of streamRows(client, query, { since })) return countRow.parse(row)[0]
  return 0
}

/**
 * Splits all device ids into `count` ranges with about the same number of readings each. Reads only the index of the
 * table.
 */
export async function listDeviceRanges(
  client: ClickHouseClient,
  count: number,
  since: number,
): Promise<readonly DeviceRange[]> {
  if (count <= 1) return [ALL_DEVICES]
  const quantiles = Array.from({ length: count - 1 }, (_, index) => (index + 1) / count).join(',')
  const bounds = new Set<number>()
  const query = `SELECT arrayMap(id -> toUInt32(round(id)), quantiles(${quantiles})(device))
    FROM ${fromShards(client, `mergeTreeIndex(${toDatabase(client)}, '${toStoring(client, 'readings')}')`)}
    WHERE toUInt32(splitByChar('_', part_name)[1]) >= ${FIRST_MONTH}`
  for await (const row of streamRows(client, query, { since }))
    for (const bound of boundsRow.parse(row)[0]) bounds.add(bound)
  const lasts = [...bounds].filter((bound) => bound < LAST_DEVICE).sort((a, b) => a - b)
  return [...lasts, LAST_DEVICE].map((last, index) => ({ first: (lasts[index - 1] ?? -1) + 1, last }))
}
