import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import { fromShards, onCluster, toDatabase, toStoring } from '../../platform/clickhouse/cluster.ts'

/** Data that is dropped by month, each with its own retention. */
export type RetentionLevel = 'readings' | 'hours' | 'days' | 'raw'

/** Retention of each level in days; 0: forever. */
export type RetentionDays = Readonly<Record<RetentionLevel, number>>

const levels: readonly RetentionLevel[] = ['readings', 'hours', 'days', 'raw']
const tables: Readonly<Record<RetentionLevel, string>> = {
  readings: 'readings',
  hours: 'readings_hour',
  days: 'readings_day',
  raw: 'raw_frames',
}

const monthRow = z.object({ partition: z.coerce.number().int() })

/** First month that is retained completely, such as 202611. */
function toFirstMonth(days: number, nowMs: number): number {
  const since = new Date(nowMs - days * DAY_MS)
  return since.getUTCFullYear() * 100 + since.getUTCMonth() + 1
}

/** Start of the first month whose readings are complete, Unix ms. */
export function toRetainedSince(days: number, nowMs: number): number {
  if (days === 0) return 0
  const month = toFirstMonth(days, nowMs)
  return Date.UTC(Math.floor(month / 100), (month % 100) - 1)
}

/** Months with data, such as 202611. The tables are partitioned by month. */
async function listMonths(client: ClickHouseClient, level: RetentionLevel): Promise<readonly number[]> {
  const answer = await client.query({
    query: `SELECT DISTINCT partition FROM ${fromShards(client, 'system.parts')}
      WHERE database = ${toDatabase(client)} AND table = {table: String} AND active ORDER BY partition`,
    query_params: { table: toStoring(client, tables[level]) },
    format: 'JSONEachRow',
  })
  const rows = z.array(monthRow).parse(await answer.json())
  return rows.map(({ partition }) => partition)
}

/** Drops the months whose days are all older than the retention. Returns the dropped months. */
export async function dropExpired(
  client: ClickHouseClient,
  retention: RetentionDays,
  nowMs: number,
): Promise<readonly { readonly level: RetentionLevel; readonly month: number }[]> {
  const dropped: { level: RetentionLevel; month: number }[] = []
  for (const level of levels) {
    if (retention[level] === 0) continue
    const first = toFirstMonth(retention[level], nowMs)
    for (const month of await listMonths(client, level)) {
      if (month >= first) continue
      const table = `${toStoring(client, tables[level])}${onCluster(client)}`
      await client.command({ query: `ALTER TABLE ${table} DROP PARTITION ${month}` })
      dropped.push({ level, month })
    }
  }
  return dropped
}
