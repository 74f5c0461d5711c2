import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import { toDeviceSet } from './device-set.ch.ts'
import type { ExportLevel, ExportQuery, ExportRow, ExportStore } from './export-store.ts'

const TIME = "'%Y-%m-%d %H:%i:%S'"
const ROLLED = `total, good, if(good > 0, round(sum_value / good, 4), NULL), if(good > 0, min_value, NULL),
  if(good > 0, max_value, NULL), if(good > 0, first_value, NULL), if(good > 0, last_value, NULL)`

interface Source {
  readonly table: string
  /** Sorts rows, and is compared with the range. */
  readonly time: string
  readonly columns: string
}

const toSources = (zone: string): Readonly<Record<ExportLevel, Source>> => ({
  raw: {
    table: 'readings',
    time: 'ts',
    columns: `formatDateTime(ts, ${TIME}, '${zone}'), value, quality`,
  },
  hour: {
    table: 'readings_hour',
    time: 'hour',
    columns: `formatDateTime(hour, ${TIME}, '${zone}'), ${ROLLED}`,
  },
  day: {
    table: 'readings_day',
    time: `toDateTime(day, '${zone}')`,
    columns: `toString(day), ${ROLLED}`,
  },
})

/** Long statements: who takes an export takes it as fast as it pleases. One thread, for pages come first. */
const SETTINGS = `SETTINGS max_threads = 1, max_block_size = 16384, do_not_merge_across_partitions_select_final = 1`
const clickhouse_settings = { max_query_size: String(64 << 20) }

export function createExportStore(client: ClickHouseClient, zone: string): ExportStore {
  const sources = toSources(zone)

  function toWhere({ deviceIds, metricIds, level }: ExportQuery): string {
    const { time } = sources[level]
    return `device IN (${toDeviceSet(deviceIds)}) AND metric IN (${metricIds.join(',')})
      AND ${time} >= fromUnixTimestamp64Milli({from: Int64}) AND ${time} < fromUnixTimestamp64Milli({to: Int64})`
  }

  return {
    async count(query) {
      const { from, to, level } = query
      const answer = await client.query({
        query: `SELECT count() FROM ${sources[level].table} WHERE ${toWhere(query)}
          SETTINGS max_execution_time = 20`,
        ...{ query_params: { from, to }, clickhouse_settings, format: 'JSONCompactEachRow' },
      })
      const [row] = z.array(z.tuple([z.coerce.number()])).parse(await answer.json())
      return row?.[0] ?? 0
    },

    async *read(query) {
      const { from, to, level } = query
      const { table, time, columns } = sources[level]
      const answer = await client.query({
        query: `SELECT device, metric, ${columns} FROM ${table} FINAL WHERE ${toWhere(query)}
          ORDER BY device, metric, ${time} ${SETTINGS}`,
        ...{ query_params: { from, to }, clickhouse_settings, format: 'TabSeparated' },
      })
      for await (const chunk of answer.stream()) {
        yield chunk.map((row): ExportRow => {
          const [deviceId, metricId, at = '', ...numbers] = row.text.split('\t')
          return { deviceId: Number(deviceId), metricId: Number(metricId), time: at, numbers }
        })
      }
    },
  }
}
