import { DOUBTFUL_QUALITY } from '@isotherm/contract/metrics'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import type { RollupPart, RollupStore } from './rollup-store.ts'

const COLUMNS = `total, good, sum_value, min_value, max_value, min_at, max_at, first_value, last_value, quality, version`

const isGood = `bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0`

/** One thread: whoever waits for a reading or a page comes first. Sorted as it is read, whatever its length. */
const SETTINGS =
  'SETTINGS max_threads = 1, optimize_aggregation_in_order = 1, do_not_merge_across_partitions_select_final = 1'

const marksRow = z.tuple([z.number(), z.number(), z.number()])
const partRow = z.tuple([z.number(), z.number(), z.coerce.number(), z.number(), z.number()])

const HOUR_S = 3_600

/** Readings of a part, by instant and device; both ends of time are whole hours. */
const READINGS_OF_PART = `ts >= toDateTime({from: UInt32}, 'UTC') AND ts < toDateTime({to: UInt32}, 'UTC')
  AND device >= {firstDevice: UInt32} AND device <= {lastDevice: UInt32}`

/** Days and hours of readings that were stored since an instant, by device. */
const storedSince = (columns: string): string => `SELECT ${columns} FROM readings
  WHERE stored >= toDateTime({storedSince: UInt32}, 'UTC') AND ${READINGS_OF_PART} GROUP BY ${columns}`

const toHours = (late: boolean): string => `
  INSERT INTO readings_hour (device, metric, hour, ${COLUMNS})
  SELECT device, metric, toStartOfHour(ts), count(), countIf(${isGood}),
    sumIf(value, ${isGood}), minIf(value, ${isGood}), maxIf(value, ${isGood}),
    toDateTime(argMinIf(ts, value, ${isGood})), toDateTime(argMaxIf(ts, value, ${isGood})),
    argMinIf(value, ts, ${isGood}), argMaxIf(value, ts, ${isGood}), groupBitOr(quality), now64(3)
  FROM readings FINAL
  WHERE ${READINGS_OF_PART}
    ${late ? `AND (device, toStartOfHour(ts)) IN (${storedSince('device, toStartOfHour(ts)')})` : ''}
  GROUP BY device, metric, toStartOfHour(ts) ${SETTINGS}`

const toDays = (zone: string, late: boolean): string => `
  INSERT INTO readings_day (metric, day, device, ${COLUMNS})
  SELECT metric, toDate(hour, '${zone}'), device, sum(total), sum(good), sum(sum_value),
    minIf(min_value, good > 0), maxIf(max_value, good > 0),
    argMinIf(min_at, min_value, good > 0), argMaxIf(max_at, max_value, good > 0),
    argMinIf(first_value, hour, good > 0), argMaxIf(last_value, hour, good > 0), groupBitOr(quality), now64(3)
  FROM readings_hour FINAL
  WHERE hour >= toDateTime({from: UInt32}, 'UTC') AND hour < toDateTime({to: UInt32}, 'UTC')
    AND device >= {firstDevice: UInt32} AND device <= {lastDevice: UInt32}
    ${late ? `AND (device, toDate(hour, '${zone}')) IN (${storedSince(`device, toDate(toStartOfHour(ts), '${zone}')`)})` : ''}
  GROUP BY device, metric, toDate(hour, '${zone}') ${SETTINGS}`

/** Hours, days and how far they reach, in ClickHouse. `zone` is an IANA name that was checked. */
export function createRollupStore(client: ClickHouseClient, zone: string): RollupStore {
  async function select<Row extends z.ZodType>(
    row: Row,
    query: string,
    query_params: Record<string, unknown> = {},
  ): Promise<z.infer<Row>[]> {
    const answer = await client.query({ query, query_params, format: 'JSONCompactEachRow' })
    return z.array(row).parse(await answer.json())
  }

  const toParts = (rows: readonly z.infer<typeof partRow>[]): RollupPart[] =>
    rows.map(([from, to, readings, firstDevice, lastDevice]) => ({
      fromS: from,
      toS: to + HOUR_S,
      readings,
      firstDevice,
      lastDevice,
    }))

  const toParams = (
    { fromS, toS, firstDevice, lastDevice }: RollupPart,
    storedSinceS: number | undefined,
  ) => ({
    from: fromS,
    to: toS,
    firstDevice,
    lastDevice,
    ...(storedSinceS === undefined ? {} : { storedSince: storedSinceS }),
  })

  const parts = `SELECT toUnixTimestamp(toStartOfHour(min(ts))), toUnixTimestamp(toStartOfHour(max(ts))), count(),
    min(device), max(device) FROM readings`

  return {
    async readMarks() {
      const query = `SELECT toUnixTimestamp(closed), toUnixTimestamp(stored), toUnixTimestamp(toDateTime(written))
        FROM rollup_marks FINAL WHERE zone = {zone: String}`
      const [row] = await select(marksRow, query, { zone })
      return row && { closedS: row[0], storedS: row[1], writtenS: row[2] }
    },

    async writeMarks({ closedS, storedS }) {
      const values = [{ zone, closed: closedS, stored: storedS }]
      await client.insert({ table: 'rollup_marks', values, format: 'JSONEachRow' })
    },

    async forgetAll() {
      for (const table of ['readings_day', 'readings_hour', 'rollup_marks'])
        await client.command({ query: `TRUNCATE TABLE ${table}` })
    },

    async engineNowS() {
      const [row] = await select(z.tuple([z.number()]), 'SELECT toUnixTimestamp(now())')
      if (!row) throw new Error('the store does not say what time it is')
      return row[0]
    },

    findBetween: async (fromS, toS) =>
      toParts(
        await select(
          partRow,
          `${parts} WHERE ts >= toDateTime({from: UInt32}, 'UTC') AND ts < toDateTime({to: UInt32}, 'UTC')
           GROUP BY toYYYYMM(ts) ORDER BY toYYYYMM(ts)`,
          { from: fromS, to: toS },
        ),
      ),

    findLate: async (storedSinceS, fromS, toS) =>
      toParts(
        await select(
          partRow,
          `${parts} WHERE stored >= toDateTime({stored: UInt32}, 'UTC')
           AND ts >= toDateTime({from: UInt32}, 'UTC') AND ts < toDateTime({to: UInt32}, 'UTC')
           GROUP BY toYYYYMM(ts) ORDER BY toYYYYMM(ts)`,
          { stored: storedSinceS, from: fromS, to: toS },
        ),
      ),

    async makeHours(part, storedSinceS) {
      const query_params = toParams(part, storedSinceS)
      await client.command({ query: toHours(storedSinceS !== undefined), query_params })
    },

    async makeDays(part, storedSinceS) {
      const query_params = toParams(part, storedSinceS)
      await client.command({ query: toDays(zone, storedSinceS !== undefined), query_params })
    },
  }
}
