import { z } from 'zod'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toDeviceSet } from '../queries/device-set.ch.ts'
import { type ExportLevel, type ExportQuery, type ExportRun, ROW_END } from './export-query.ts'

const TIME_FORMAT = "'%Y-%m-%d %H:%i:%S'"

/** SQL that joins numbers to a text with commas. */
const toText = (numbers: readonly string[]): string =>
  `arrayStringConcat([${numbers.map((number) => `toString(${number})`).join(', ')}], ',')`

/** SQL of the columns of a rollup. An hour or day without good readings has empty values. */
const ROLLUP_VALUES = toText([
  'round(sum_value / good, 4)',
  'min_value',
  'max_value',
  'first_value',
  'last_value',
])
const ROLLUP_COLUMNS = `concat(${toText(['total', 'good'])}, ',', if(good > 0, ${ROLLUP_VALUES}, ',,,,'))`

interface Source {
  readonly table: string
  /** SQL of the time of a row. Rows are sorted by it and selected by it. */
  readonly time: string
  /** SQL of the row as text. */
  readonly row: string
  /**
   * Rows per query. It is larger for days: their table is sorted by metric, day and device, not by device first, so each
   * query scans all rows of the export again.
   */
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
    row: `concat(formatDateTime(ts, ${TIME_FORMAT}, '${zone}'), ',', ${toText(['value', 'quality'])})`,
    page: 100_000,
  },
  hour: {
    table: 'readings_hour',
    time: 'hour',
    row: `concat(formatDateTime(hour, ${TIME_FORMAT}, '${zone}'), ',', ${ROLLUP_COLUMNS})`,
    page: 100_000,
  },
  day: {
    table: 'readings_day',
    time: `toDateTime(day, '${zone}')`,
    row: `concat(toString(day), ',', ${ROLLUP_COLUMNS})`,
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

/** The rows of one page: those after `last` in the order of device, metric and time. */
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
 * Number of rows of an export. It can be too high: a reading that is stored twice counts twice until ClickHouse merges
 * the two. `zone`: validated IANA name.
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
 * Streams the rows of an export, sorted by device, metric and time. Reads the next page only when the consumer needs
 * it. `zone`: validated IANA name. `pageRows`: rows of a page, for tests.
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
