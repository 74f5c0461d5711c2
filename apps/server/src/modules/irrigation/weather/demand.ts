import type { Demand } from '@isotherm/irrigation/plan/model'
import {
  isForPenman,
  referenceEvapotranspiration,
  vapourPressure,
  type WeatherDay,
  windAt2m,
} from '@isotherm/irrigation/weather/evapotranspiration'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { ForecastHour } from '../../weather/index.ts'

/** What is known of the weather of a local day. */
export interface DayWeather {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly minC?: number
  readonly maxC?: number
  readonly rainMm?: number
  /** Lowest and highest relative humidity, %. */
  readonly humidityPct?: { readonly min: number; readonly max: number }
  /** Mean wind at 2 m above the ground. */
  readonly windMS?: number
  /** Short-wave radiation, MJ/m². */
  readonly solarMJ?: number
}

/** What stations measured of a day: columns of stations that measured nearly the whole day. */
export interface MeasuredDay extends DayWeather {
  /** Columns that no station measured for so long. A day of the forecast source is better than these. */
  readonly part?: Pick<DayWeather, 'minC' | 'maxC' | 'rainMm'>
}

/** Water that the weather of some days took and gave, and on how many of them it was computed by Penman–Monteith. */
export interface WeatherDemand extends Demand {
  readonly penmanDays: number
}

/** Seconds of a day by 10⁶: turns a mean radiation in W/m² into MJ/m² of a day. */
const MJ_PER_W = 0.0864
/** Height of the wind of a forecast above the ground, m. */
const FORECAST_WIND_M = 10
/** Hours that a day of a forecast must have: the shortest day of a year with a change of the clock. */
const HOURS_OF_DAY = 23

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Mean radiation of a day, W/m², as its sum, MJ/m². */
export const toSolarMJ = (meanWM2: number): number => Math.max(0, meanWM2) * MJ_PER_W

/**
 * The weather of the complete days of a forecast. A column with missing hours is left out. Rain and sun of an hour are those of the hour
 * before it, so the ones at midnight belong to the day that ends then.
 */
export function toForecastDays(
  hours: readonly ForecastHour[],
  toDay: (ms: number) => number,
): readonly DayWeather[] {
  const byDay = Map.groupBy(hours, ({ at }) => toDay(at))
  const byDayBefore = Map.groupBy(hours, ({ at }) => toDay(at - HOUR_MS))
  const column = (
    of: readonly ForecastHour[] | undefined,
    name: keyof ForecastHour,
  ): readonly number[] | undefined => {
    const values = of?.flatMap((hour) => hour[name] ?? []) ?? []
    return values.length >= HOURS_OF_DAY && values.length === of?.length ? values : undefined
  }
  return [...byDay].flatMap(([day, ofDay]) => {
    if (ofDay.length < HOURS_OF_DAY) return []
    const [temperatures, humidity, wind, sun, rain] = [
      ofDay.map(({ outdoorC }) => outdoorC),
      column(ofDay, 'humidityPct'),
      column(ofDay, 'windMS'),
      column(byDayBefore.get(day), 'sunWM2'),
      column(byDayBefore.get(day), 'rainMm'),
    ]
    return [
      {
        day,
        minC: Math.min(...temperatures),
        maxC: Math.max(...temperatures),
        ...(humidity && { humidityPct: { min: Math.min(...humidity), max: Math.max(...humidity) } }),
        ...(wind && { windMS: windAt2m(mean(wind), FORECAST_WIND_M) }),
        ...(sun && { solarMJ: toSolarMJ(mean(sun)) }),
        ...(rain && { rainMm: rain.reduce((sum, value) => sum + value, 0) }),
      },
    ]
  })
}

/** Where a field is. */
interface Ground {
  readonly latitudeDeg: number
  /** Above the sea: the pressure of the air falls with it (equation 7 of FAO-56). */
  readonly altitudeM?: number
}

function toWeatherDay(
  { day, humidityPct, windMS, solarMJ }: DayWeather,
  minC: number,
  maxC: number,
  { latitudeDeg, altitudeM = 0 }: Ground,
): WeatherDay {
  const year = new Date(day * DAY_MS).getUTCFullYear()
  return {
    latitudeDeg,
    altitudeM,
    minC,
    maxC,
    dayOfYear: day - Date.UTC(year, 0, 1) / DAY_MS + 1,
    ...(humidityPct && { vapourKpa: vapourPressure({ minC, maxC }, humidityPct) }),
    ...(windMS === undefined ? {} : { windMS }),
    ...(solarMJ === undefined ? {} : { solarMJ }),
  }
}

/**
 * Evapotranspiration and rain of the days [from, until) with a temperature. What stations measured of a whole day counts; what they did
 * not is taken from the forecast source, which may give past days too, and else from what they measured of a part of the day. Undefined
 * if no day has a temperature.
 */
export function toDemand(
  measured: readonly MeasuredDay[],
  forecast: readonly DayWeather[],
  { from, until, ...ground }: Ground & { readonly from: number; readonly until: number },
): WeatherDemand | undefined {
  const known = new Map<number, DayWeather>()
  const parts = measured.map(({ day, part }) => ({ day, ...part }))
  for (const day of [...parts, ...forecast, ...measured])
    known.set(day.day, { ...known.get(day.day), ...day })
  const days = [...known.values()].flatMap((weather) => {
    const { day, minC, maxC, rainMm = 0 } = weather
    if (day < from || day >= until || minC === undefined || maxC === undefined) return []
    const ofDay = toWeatherDay(weather, minC, maxC, ground)
    return [{ rainMm, etMm: referenceEvapotranspiration(ofDay), isPenman: isForPenman(ofDay) }]
  })
  if (days.length === 0) return undefined
  return {
    days: days.length,
    etMm: days.reduce((sum, { etMm }) => sum + etMm, 0),
    rainMm: days.reduce((sum, { rainMm }) => sum + rainMm, 0),
    penmanDays: days.filter(({ isPenman }) => isPenman).length,
  }
}
