import { z } from 'zod'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toDeviceSet } from '../queries/device-set.ch.ts'
import { type ExportLevel, type ExportQuery, type ExportRun, ROW_END } from './export-query.ts'

const TIME = "'%Y-%m-%d %H:%i:%S'"

const toText = (numbers: readonly string[]): string =>
  `arrayStringConcat([${numbers.map((number) => `toString(${number})`).join(', ')}], ',')`

const VALUES = toText(['round(sum_value / good, 4)', 'min_value', 'max_value', 'first_value', 'last_value'])
const ROLLED = `concat(${toText(['total', 'good'])}, ',', if(good > 0, ${VALUES}, ',,,,'))`

interface Source {
  readonly table: string
  /** Expression that sorts the rows and is compared with the range. */
  readonly time: string
  /** The row as text. */
  readonly row: string
  /** Rows per query. The table of days has another sort order, so each page of it scans all its rows. */
  readonly page: number
}

/** Position of a row in the sort order. */
interface RowKey {
  readonly deviceId: number
  readonly metricId: number
  /** Unix ms. */
  readonly atMs: number
}

/** Result of a page. */
interface Page {
  readonly count: number
  readonly last: RowKey | undefined
}

const toSources = (zone: string): Readonly<Record<ExportLevel, Source>> => ({
  raw: {
    table: 'readings',
    time: 'ts',
    row: `concat(formatDateTime(ts, ${TIME}, '${zone}'), ',', ${toText(['value', 'quality'])})`,
    page: 100_000,
  },
  hour: {
    table: 'readings_hour',
    time: 'hour',
    row: `concat(formatDateTime(hour, ${TIME}, '${zone}'), ',', ${ROLLED})`,
    page: 100_000,
  },
  day: {
    table: 'readings_day',
    time: `toDateTime(day, '${zone}')`,
    row: `concat(toString(day), ',', ${ROLLED})`,
    page: 1_000_000,
  },
})

/** One thread, because queries of the console have priority. */
const SETTINGS = `SETTINGS max_threads = 1, max_block_size = 16384, do_not_merge_across_partitions_select_final = 1`
const clickhouse_settings = { max_query_size: String(64 << 20) }

function toWhere({ deviceIds, metricIds }: ExportQuery, { time }: Source): string {
  return `device IN (${toDeviceSet(deviceIds)}) AND metric IN (${metricIds.join(',')})
    AND ${time} >= fromUnixTimestamp64Milli({from: Int64}) AND ${time} < fromUnixTimestamp64Milli({to: Int64})`
}

/** The rows after `last` in the sort order of the table, up to the size of a page. Reads no further. */
async function* readPage(
  client: ClickHouseClient,
  source: Source,
  query: ExportQuery,
  last?: RowKey,
): AsyncGenerator<readonly ExportRun[], Page> {
  const { from, to } = query
  const { table, time, row, page } = source
  const after = last
    ? `AND (device > {deviceId: UInt32} OR metric > {metricId: UInt16}
        OR metric = {metricId: UInt16} AND ${time} > fromUnixTimestamp64Milli({atMs: Int64}))`
    : ''
  const answer = await client.query({
    query: `SELECT device, metric, toUInt32(count()), max(at), arrayStringConcat(groupArray(row), '${ROW_END}')
      FROM (SELECT device, metric, toUnixTimestamp64Milli(toDateTime64(${time}, 3)) AS at, ${row} AS row
        FROM ${table} FINAL WHERE ${toWhere(query, source)} ${after}
        ORDER BY device, metric, ${time} LIMIT ${page})
      GROUP BY device, metric ORDER BY device, metric ${SETTINGS}`,
    query_params: { from, to, ...last },
    clickhouse_settings,
    format: 'TabSeparated',
  })
  let result: Page = { count: 0, last: undefined }
  for await (const chunk of answer.stream()) {
    const runs = chunk.map(({ text }): ExportRun => {
      const [device, metric, count, at, rows = ''] = text.split('\t')
      const [deviceId, metricId] = [Number(device), Number(metric)]
      result = { count: result.count + Number(count), last: { deviceId, metricId, atMs: Number(at) } }
      return { deviceId, metricId, count: Number(count), rows }
    })
    yield runs
  }
  return result
}

/**
 * Upper limit of the number of rows of an export: readings that are stored twice and not merged yet count twice.
 * `zone`: validated IANA name.
 */
export async function countExportRows(
  client: ClickHouseClient,
  zone: string,
  query: ExportQuery,
): Promise<number> {
  const { from, to, level } = query
  const source = toSources(zone)[level]
  const answer = await client.query({
    query: `SELECT count() FROM ${source.table} WHERE ${toWhere(query, source)}
      SETTINGS max_execution_time = 20`,
    query_params: { from, to },
    clickhouse_settings,
    format: 'JSONCompactEachRow',
  })
  const [row] = z.array(z.tuple([z.coerce.number()])).parse(await answer.json())
  return row?.[0] ?? 0
}

/**
 * Streams the rows of an export, sorted by device, metric and time; reads on only when the consumer does. `zone`:
 * validated IANA name. `pageRows`: rows of a page, for tests.
 */
export async function* readExportRows(
  client: ClickHouseClient,
  zone: string,
  query: ExportQuery,
  pageRows?: number,
): AsyncGenerator<readonly ExportRun[]> {
  const levelSource = toSources(zone)[query.level]
  const source = { ...levelSource, page: pageRows ?? levelSource.page }
  let deviceIds = query.deviceIds
  let last: RowKey | undefined
  while (deviceIds.length > 0) {
    const result = yield* readPage(client, source, { ...query, deviceIds }, last)
    if (result.count < source.page) return
    last = result.last
    deviceIds = deviceIds.filter((id) => id >= (last?.deviceId ?? 0))
  }
}
