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
  kind: z.number(),
  low: z.number(),
  high: z.number(),
  rise: z.number(),
})
const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * Weather of the complete days in [from, to), days since 1970-01-01, by the weather stations of a pump house. Rain is the
 * largest rise of a station's counter within the day; a counter that was reset counts as no rain. Days without a
 * temperature are absent.
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
    query: `SELECT toInt32(day) AS date, toInt32(metric) AS kind, min(min_value) AS low, max(max_value) AS high,
        max(greatest(0, last_value - first_value)) AS rise
      FROM readings_day FINAL
      WHERE metric IN (${outdoor}, ${rain}) AND day >= toDate('${toDate(from)}') AND day < toDate('${toDate(to)}')
        AND device IN (${deviceIds.join(', ')}) AND good > 0
      GROUP BY day, metric`,
    format: 'JSONEachRow',
  })
  const days = new Map<number, MeasuredDay>()
  const rains = new Map<number, number>()
  for (const given of await result.json<unknown>()) {
    const { date: day, kind, low, high, rise } = row.parse(given)
    if (kind === outdoor) days.set(day, { day, minC: low, maxC: high, rainMm: 0 })
    else rains.set(day, rise)
  }
  return [...days.values()].map((day) => ({ ...day, rainMm: rains.get(day.day) ?? 0 }))
}
