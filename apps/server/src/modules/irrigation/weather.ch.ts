import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'

/** Temperatures and rain of a local day, in days since 1970-01-01. */
export interface MeasuredDay {
  readonly day: number
  readonly minC: number
  readonly maxC: number
  readonly rainMm: number
}

const row = z.object({
  date: z.number(),
  device: z.number(),
  kind: z.number(),
  low: z.number(),
  high: z.number(),
  first: z.number(),
  last: z.number(),
})
type Row = z.infer<typeof row>

const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * Rain of a day by a counter, mm: from its last reading of the day before, so that the rain of the night between counts too,
 * else from its first reading. A counter that falls was reset: it counted up to its highest value, then again from 0.
 */
function toRainMm({ first, last, high }: Row, before: Row | undefined): number {
  const start = before?.last ?? first
  return last >= start ? last - start : Math.max(0, high - start) + last
}

/**
 * Weather of the complete days in [from, to), days since 1970-01-01, by the weather stations of a pump house. Rain is that of the
 * station that counted most. Days without a temperature are absent.
 */
export async function readWeatherDays(
  clickhouse: ClickHouseClient,
  deviceIds: readonly number[],
  from: number,
  to: number,
): Promise<readonly MeasuredDay[]> {
  if (deviceIds.length === 0) return []
  const outdoor = metrics['temp.outdoor'].id
  const rain = metrics['rain.total'].id
  const result = await clickhouse.query({
    query: `SELECT toInt32(day) AS date, device, toInt32(metric) AS kind, min_value AS low, max_value AS high,
        first_value AS first, last_value AS last
      FROM readings_day FINAL
      WHERE metric IN (${outdoor}, ${rain}) AND day >= toDate('${toDate(from - 1)}') AND day < toDate('${toDate(to)}')
        AND device IN (${deviceIds.join(', ')}) AND good > 0`,
    format: 'JSONEachRow',
  })
  const rows = (await result.json<unknown>()).map((given) => row.parse(given))
  const toKey = ({ device, kind }: Row, date: number) => `${device} ${kind} ${date}`
  const byDay = new Map(rows.map((each) => [toKey(each, each.date), each]))
  const days = new Map<number, MeasuredDay>()
  const rains = new Map<number, number>()
  for (const each of rows.filter(({ date }) => date >= from)) {
    const { date: day, kind, low, high } = each
    if (kind === outdoor) {
      const known = days.get(day)
      const [minC, maxC] = [Math.min(low, known?.minC ?? low), Math.max(high, known?.maxC ?? high)]
      days.set(day, { day, minC, maxC, rainMm: 0 })
    } else rains.set(day, Math.max(rains.get(day) ?? 0, toRainMm(each, byDay.get(toKey(each, day - 1)))))
  }
  return [...days.values()]
    .map((day) => ({ ...day, rainMm: rains.get(day.day) ?? 0 }))
    .sort((left, right) => left.day - right.day)
}
