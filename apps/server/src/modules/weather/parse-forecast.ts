import { z } from 'zod'

/** The weather of an hour. What the source does not give is absent. */
export interface ForecastHour {
  /** Unix ms. */
  readonly at: number
  readonly outdoorC: number
  readonly humidityPct?: number
  /** Wind at 10 m above the ground. */
  readonly windMS?: number
  /** Mean short-wave radiation of the hour before. */
  readonly sunWM2?: number
  /** Rain and molten snow of the hour before. */
  readonly rainMm?: number
}

/** A forecast that cannot be used. Its message says why, for the log. */
export class ForecastError extends Error {}

const MAX_HOURS = 10_000

const values = z.array(z.number().nullable()).max(MAX_HOURS)

/** The parts of Open-Meteo's answer that are used (open-meteo.com/en/docs). */
const answer = z.object({
  utc_offset_seconds: z.number().default(0),
  hourly_units: z
    .object({
      temperature_2m: z.string().default('°C'),
      wind_speed_10m: z.string().default('km/h'),
      precipitation: z.string().default('mm'),
    })
    .prefault({}),
  hourly: z.object({
    /** Local times without an offset, or with `timeformat=unixtime` seconds in UTC. */
    time: z.array(z.union([z.string(), z.number()])).max(MAX_HOURS),
    temperature_2m: values,
    relative_humidity_2m: values.optional(),
    wind_speed_10m: values.optional(),
    shortwave_radiation: values.optional(),
    precipitation: values.optional(),
  }),
})

const refusal = z.object({ error: z.literal(true), reason: z.string() })

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

function toMs(time: string | number, offsetS: number): number {
  if (typeof time === 'number') return time * 1000
  if (!LOCAL_TIME.test(time)) throw new ForecastError(`"${time.slice(0, 40)}" is not a local time`)
  return Date.parse(`${time}Z`) - offsetS * 1000
}

type Convert = (value: number) => number
/** The units of each column, as conversions to ours. */
const units = {
  temperature_2m: { '°C': (value) => value, '°F': (value) => (value - 32) / 1.8 },
  wind_speed_10m: {
    'm/s': (value) => value,
    'km/h': (value) => value / 3.6,
    'mp/h': (value) => value * 0.447_04,
    kn: (value) => (value * 1852) / 3600,
  },
  precipitation: { mm: (value) => value, inch: (value) => value * 25.4 },
} as const satisfies Record<string, Readonly<Record<string, Convert>>>
type Converted = keyof typeof units

function toConvert(column: Converted, unit: string): Convert {
  const known: Readonly<Record<string, Convert>> = units[column]
  const convert = Object.hasOwn(known, unit) ? known[unit] : undefined
  if (!convert) throw new ForecastError(`"${unit.slice(0, 20)}" is not a unit of ${column}`)
  return convert
}

/** Hours of Open-Meteo's JSON in order of time; hours without a temperature are left out. Throws ForecastError. */
export function parseForecast(json: unknown): readonly ForecastHour[] {
  const refused = refusal.safeParse(json)
  if (refused.success) throw new ForecastError(`the source says: ${refused.data.reason.slice(0, 200)}`)
  const parsed = answer.safeParse(json)
  if (!parsed.success) throw new ForecastError(z.prettifyError(parsed.error).slice(0, 300))
  const { utc_offset_seconds: offsetS, hourly, hourly_units: given } = parsed.data
  const { time, ...columns } = hourly
  if (Object.values(columns).some((column) => column !== undefined && column.length !== time.length))
    throw new ForecastError('times and values differ in number')
  const [toCelsius, toMS, toMm] = [
    toConvert('temperature_2m', given.temperature_2m),
    toConvert('wind_speed_10m', columns.wind_speed_10m ? given.wind_speed_10m : 'm/s'),
    toConvert('precipitation', columns.precipitation ? given.precipitation : 'mm'),
  ]
  const at = (column: readonly (number | null)[] | undefined, index: number): number | undefined =>
    column?.[index] ?? undefined
  return time
    .flatMap((each, index): ForecastHour[] => {
      const temperature = at(columns.temperature_2m, index)
      if (temperature === undefined) return []
      const [humidityPct, wind, sunWM2, rain] = [
        at(columns.relative_humidity_2m, index),
        at(columns.wind_speed_10m, index),
        at(columns.shortwave_radiation, index),
        at(columns.precipitation, index),
      ]
      return [
        {
          at: toMs(each, offsetS),
          outdoorC: toCelsius(temperature),
          ...(humidityPct === undefined ? {} : { humidityPct }),
          ...(wind === undefined ? {} : { windMS: toMS(wind) }),
          ...(sunWM2 === undefined ? {} : { sunWM2 }),
          ...(rain === undefined ? {} : { rainMm: toMm(rain) }),
        },
      ]
    })
    .sort((left, right) => left.at - right.at)
}
