import { metrics } from '@isotherm/contract/metrics'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { readLists } from '../../../platform/clickhouse/read-lists.ch.ts'
import { toDeviceSet } from '../../history/index.ts'
import type { RegisterDay } from '../registers/count-register.ts'
import { type DayRange, toDate } from '../registers/plant-days.ts'
import type { RegisterEnds } from '../registers/register-ends.ts'

/** Days around a range that are read too, so that a gap across its ends has both sides. */
export const MARGIN_DAYS = 10
const MAX_SECONDS = 30
const settings = { max_query_size: String(64 << 20) }
const END = `SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = ${MAX_SECONDS}`

const isIn = ({ from, to }: DayRange): string =>
  `day >= toDate('${toDate(from - MARGIN_DAYS)}') AND day < toDate('${toDate(to + MARGIN_DAYS + 1)}')`

const number = z.number()
const dayRow = z.tuple([number, number, number, number, number, number, number, number, number])

/** Days of the registers of devices, around a range, by device. */
export async function readRegisterDays(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  range: DayRange,
): Promise<ReadonlyMap<number, readonly RegisterDay[]>> {
  const found = new Map<number, RegisterDay[]>()
  if (deviceIds.length === 0) return found
  const energy = metrics['heat.energy'].id
  const hours = metrics['meter.hours'].id
  const query = `SELECT device, metric, toInt32(day), first_value, last_value, min_value, max_value, max_at < min_at, good
    FROM readings_day FINAL PREWHERE metric IN (${energy}, ${hours}) AND ${isIn(range)}
      AND device IN (${toDeviceSet(deviceIds)})
    WHERE good > 0 ORDER BY device, toInt32(day), metric ${END}`
  for await (const given of streamRows(client, query, {}, settings)) {
    const [device, metric, day, first, last, min, max, fell] = dayRow.parse(given)
    const days = found.get(device) ?? []
    if (days.length === 0) found.set(device, days)
    if (metric === energy) {
      const unknown = Number.NaN
      const noHours = { firstHours: unknown, lastHours: unknown, minHours: unknown, maxHours: unknown }
      days.push({ device, day, first, last, min, max, fell: fell === 1, ...noHours })
    } else {
      const of = days.at(-1)
      if (of?.day !== day) continue
      days[days.length - 1] = { ...of, firstHours: first, lastHours: last, minHours: min, maxHours: max }
    }
  }
  return found
}

/**
 * Ends of the registers of any number of devices. A register that only grows has all its values between its ends, and
 * the days grow by no more than the whole.
 */
export async function readRegisterEnds(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  range: DayRange,
): Promise<readonly RegisterEnds[]> {
  if (deviceIds.length === 0) return []
  const isBefore = `day < toDate('${toDate(range.from)}')`
  const isAfter = `day >= toDate('${toDate(range.to)}')`
  const isInside = `(NOT ${isBefore} AND NOT ${isAfter})`
  const columns = {
    device: 'device',
    firstDay: 'toInt32(d1)',
    first: 'v1',
    beforeDay: 'toInt32(d0)',
    before: 'v0',
    lastDay: 'toInt32(d2)',
    last: 'v2',
    afterDay: 'toInt32(d3)',
    after: 'v3',
    days: 'n',
    suspect: 'suspect',
  }
  const from = `(SELECT device,
      minIf(day, ${isInside}) AS d1, argMinIf(first_value, day, ${isInside}) AS v1,
      maxIf(day, ${isBefore}) AS d0, argMaxIf(last_value, day, ${isBefore}) AS v0,
      maxIf(day, ${isInside}) AS d2, argMaxIf(last_value, day, ${isInside}) AS v2,
      minIf(day, ${isAfter}) AS d3, argMinIf(first_value, day, ${isAfter}) AS v3,
      countIf(${isInside}) AS n,
      argMin(first_value, day) AS early, argMax(last_value, day) AS late,
      countIf(last_value < first_value OR (max_at < min_at AND max_value > min_value)) > 0
        OR min(min_value) < early OR max(max_value) > late OR sum(last_value - first_value) > late - early + 0.001 AS suspect
    FROM readings_day FINAL PREWHERE metric = ${metrics['heat.energy'].id} AND ${isIn(range)}
      AND device IN (${toDeviceSet(deviceIds)})
    WHERE good > 0 GROUP BY device) ${END}`
  const lists = await readLists(client, columns, from)
  return lists.device.map((device, at) => ({
    device,
    firstDay: lists.firstDay[at] ?? 0,
    first: lists.first[at] ?? 0,
    beforeDay: lists.beforeDay[at] ?? 0,
    before: lists.before[at] ?? 0,
    lastDay: lists.lastDay[at] ?? 0,
    last: lists.last[at] ?? 0,
    afterDay: lists.afterDay[at] ?? 0,
    after: lists.after[at] ?? 0,
    days: lists.days[at] ?? 0,
    isSuspect: lists.suspect[at] === 1,
  }))
}

const weatherRow = z.tuple([number, number])

/** Mean outdoor temperature of days over sensors, by day number. */
export async function readOutdoorDays(
  client: ClickHouseClient,
  deviceIds: readonly number[],
  { from, to }: DayRange,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  if (deviceIds.length === 0) return found
  const query = `SELECT toInt32(day), median(sum_value / good) FROM readings_day FINAL
    PREWHERE metric = ${metrics['temp.outdoor'].id} AND day >= toDate('${toDate(from)}') AND day < toDate('${toDate(to)}')
      AND device IN (${toDeviceSet(deviceIds)})
    WHERE good > 0 GROUP BY day ${END}`
  for await (const given of streamRows(client, query, {}, settings)) {
    const [day, meanC] = weatherRow.parse(given)
    found.set(day, meanC)
  }
  return found
}
