import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { KeptLevel, RetentionStore } from './retention.ts'

const tables: Readonly<Record<KeptLevel, string>> = {
  readings: 'readings',
  hours: 'readings_hour',
  days: 'readings_day',
  raw: 'raw_frames',
}

const monthRow = z.object({ partition: z.coerce.number().int() })

/** The months of the tables, which are their partitions: one is dropped without a row of it being read. */
export const createRetentionStore = (client: ClickHouseClient): RetentionStore => ({
  async listMonths(level) {
    const answer = await client.query({
      query: `SELECT DISTINCT partition FROM system.parts
        WHERE database = currentDatabase() AND table = {table: String} AND active ORDER BY partition`,
      query_params: { table: tables[level] },
      format: 'JSONEachRow',
    })
    const rows = z.array(monthRow).parse(await answer.json())
    return rows.map(({ partition }) => partition)
  },

  async dropMonth(level, month) {
    await client.command({ query: `ALTER TABLE ${tables[level]} DROP PARTITION ${month}` })
  },
})
