import { DOUBTFUL_QUALITY, metrics } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { type ClickHouseClient, createReadRows } from '../../../platform/clickhouse/clickhouse.ch.ts'

/** Mean of one device in one slot of time. */
export interface SlotMean {
  /** Index of the slot, from 0 at the start of the range. */
  readonly slot: number
  readonly deviceId: number
  readonly mean: number
}

export interface TrendQuery {
  readonly deviceIds: readonly number[]
  /** Unix ms, half open. */
  readonly from: number
  readonly to: number
  /** Width of a slot, ms. */
  readonly slotMs: number
}

const MAX_SECONDS = 20
/** Shorter slots are read from the readings; longer ones from the hourly rollups. */
const HOURS_FROM = 1

const slotRow = z.tuple([z.coerce.number(), z.number(), z.number()])
const closedRow = z.tuple([z.coerce.number()])
const RETURN = metrics['temp.return'].id

/**
 * Mean return temperature of each device in each slot, without doubtful readings. Slots longer than this use hourly
 * rollups as far as they exist, and readings after that.
 */
export async function readReturns(client: ClickHouseClient, query: TrendQuery): Promise<readonly SlotMean[]> {
  const { deviceIds, from, to, slotMs } = query
  if (deviceIds.length === 0) return []
  const read = createReadRows(client, MAX_SECONDS)
  const of = `device IN (${deviceIds.join(',')}) AND metric = ${RETURN}`
  // Some devices may have a rollup of an hour before others do.
  const [[closedS] = [0]] =
    slotMs > HOURS_FROM * HOUR_MS
      ? await read(closedRow, 'SELECT max(toUnixTimestamp(closed)) FROM rollup_marks FINAL')
      : []
  const rawFrom = Math.min(to, Math.max(from, 1000 * closedS))
  const raw = `SELECT device, toUnixTimestamp64Milli(ts) AS at, value AS total, 1 AS count FROM readings FINAL
    WHERE ${of} AND bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0
      AND ts >= fromUnixTimestamp64Milli({rawFrom: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})`
  const rolled = `SELECT device, toInt64(toUnixTimestamp(hour)) * 1000 AS at, sum_value AS total, good AS count
    FROM readings_hour FINAL WHERE ${of} AND good > 0
      AND hour >= fromUnixTimestamp64Milli({from: Int64}) AND hour < fromUnixTimestamp64Milli({rawFrom: Int64})`
  const source = rawFrom > from ? `${rolled} UNION ALL ${raw}` : raw
  const rows = await read(
    slotRow,
    `SELECT intDiv(at - {from: Int64}, {slotMs: Int64}) AS slot, device, sum(total) / sum(count) AS mean
      FROM (${source}) GROUP BY slot, device ORDER BY slot, device
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    { from, to, slotMs, rawFrom },
  )
  return rows.map(([slot, deviceId, mean]) => ({ slot, deviceId, mean }))
}
