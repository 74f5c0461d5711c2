import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { type MeasuredDay, toSolarMJ } from './demand.ts'

const row = z.object({
  date: z.number(),
  device: z.number(),
  kind: z.number(),
  hours: z.number(),
  mean: z.number(),
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

/** The reading before a day is that of the newest day with one, of at most so many days before it. */
const LOOK_BACK_DAYS = 3

/**
 * Rain of a day by the rain sensor of the source, mm; undefined if it does not cover the day. Its counter covers the time between two
 * readings, however few they are: rain counts on the day of the later one, and days without a reading between them had none.
 * `ofGauge`: its rows in the order of time.
 */
function findOwnRainMm(ofGauge: readonly Row[], day: number): number | undefined {
  const before = ofGauge.findLast(({ date }) => date < day && date >= day - LOOK_BACK_DAYS)
  const own = ofGauge.find(({ date }) => date === day)
  // Without a reading before, it covers the day from its first reading on.
  if (own) return before || own.hours >= HOURS_OF_DAY ? toRainMm(own, before) : undefined
  const next = ofGauge.find(({ date }) => date > day)
  return before && next && next.date - before.date <= LOOK_BACK_DAYS ? 0 : undefined
}

/** Hours that a day needs: the mean of the sun would be too high without the night, and a station that fails in the morning misses noon. */
const HOURS_OF_DAY = 20

const measured = {
  outdoor: metrics['temp.outdoor'].id,
  rain: metrics['rain.total'].id,
  humidity: metrics['humidity.outdoor'].id,
  wind: metrics['wind.speed'].id,
  sun: metrics['sun.radiation'].id,
} as const

/** Lowest and highest value of rows. */
const toRange = (rows: readonly Row[]): { readonly min: number; readonly max: number } => ({
  min: Math.min(...rows.map(({ low }) => low)),
  max: Math.max(...rows.map(({ high }) => high)),
})

/** Mean of rows; undefined without any. */
const toMean = (rows: readonly Row[]): number | undefined =>
  rows.length === 0 ? undefined : rows.reduce((sum, { mean }) => sum + mean, 0) / rows.length

const toTemperatures = (rows: readonly Row[]) => {
  const { min: minC, max: maxC } = toRange(rows)
  return rows.length > 0 && { minC, maxC }
}

/**
 * Weather of the complete days in [from, to), days since 1970-01-01, by the weather stations of a pump house: by those that measured
 * nearly the whole day. Rain is that of the rain sensor of the source alone, if it covers the day, else of the station that counted most.
 */
export async function readWeatherDays(
  clickhouse: ClickHouseClient,
  deviceIds: readonly number[],
  from: number,
  to: number,
  rainId?: number | undefined,
): Promise<readonly MeasuredDay[]> {
  if (deviceIds.length === 0) return []
  const result = await clickhouse.query({
    query: `SELECT toInt32(day) AS date, device, toInt32(metric) AS kind, toInt32(hours) AS hours,
        sum_value / good AS mean, min_value AS low, max_value AS high, first_value AS first, last_value AS last
      FROM readings_day FINAL
      WHERE metric IN (${Object.values(measured).join(', ')}) AND day >= toDate('${toDate(from - LOOK_BACK_DAYS)}')
        AND day < toDate('${toDate(to)}') AND device IN (${deviceIds.join(', ')}) AND good > 0`,
    format: 'JSONEachRow',
  })
  const rows = (await result.json<unknown>()).map((given) => row.parse(given))
  const toKey = ({ device, kind }: Row, date: number) => `${device} ${kind} ${date}`
  const byKey = new Map(rows.map((each) => [toKey(each, each.date), each]))
  const byDay = Map.groupBy(rows, ({ date }) => date)
  const ofGauge = rows
    .filter(({ device, kind }) => device === rainId && kind === measured.rain)
    .sort((left, right) => left.date - right.date)
  function toMeasured(day: number): MeasuredDay {
    const ofDay = byDay.get(day) ?? []
    const of = (kind: number) => ofDay.filter((each) => each.kind === kind)
    const wholeOf = (kind: number) => of(kind).filter(({ hours }) => hours >= HOURS_OF_DAY)
    const toRain = (rows: readonly Row[]) =>
      rows.length > 0 && {
        rainMm: Math.max(...rows.map((each) => toRainMm(each, byKey.get(toKey(each, day - 1))))),
      }
    const ownMm = findOwnRainMm(ofGauge, day)
    const outdoor = wholeOf(measured.outdoor)
    const rain = ownMm === undefined ? toRain(wholeOf(measured.rain)) : { rainMm: ownMm }
    const humidity = wholeOf(measured.humidity)
    const [windMS, sunWM2] = [toMean(wholeOf(measured.wind)), toMean(wholeOf(measured.sun))]
    const part = {
      ...(outdoor.length === 0 && toTemperatures(of(measured.outdoor))),
      ...(!rain && toRain(of(measured.rain))),
    }
    return {
      day,
      ...toTemperatures(outdoor),
      ...rain,
      ...(humidity.length > 0 && { humidityPct: toRange(humidity) }),
      ...(windMS !== undefined && { windMS }),
      ...(sunWM2 !== undefined && { solarMJ: toSolarMJ(sunWM2) }),
      ...(Object.keys(part).length > 0 && { part }),
    }
  }

  const days = Array.from({ length: Math.max(0, to - from) }, (_, index) => toMeasured(from + index))
  return days.filter((day) => Object.keys(day).length > 1)
}
