import type { OutdoorValue } from '@isotherm/contract/network/weather'
import { z } from 'zod'

/** A forecast that cannot be used. Its message says why, for the log. */
export class ForecastError extends Error {}

const MAX_HOURS = 10_000

/** The parts of Open-Meteo's answer that are used (open-meteo.com/en/docs). */
const answer = z.object({
  utc_offset_seconds: z.number().default(0),
  hourly_units: z.object({ temperature_2m: z.string().default('°C') }).default({ temperature_2m: '°C' }),
  hourly: z.object({
    /** Local times without an offset, or with `timeformat=unixtime` seconds in UTC. */
    time: z.array(z.union([z.string(), z.number()])).max(MAX_HOURS),
    temperature_2m: z.array(z.number().nullable()).max(MAX_HOURS),
  }),
})

const refusal = z.object({ error: z.literal(true), reason: z.string() })

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

function toMs(time: string | number, offsetS: number): number {
  if (typeof time === 'number') return time * 1000
  if (!LOCAL_TIME.test(time)) throw new ForecastError(`"${time.slice(0, 40)}" is not a local time`)
  return Date.parse(`${time}Z`) - offsetS * 1000
}

const toCelsius = {
  '°C': (value: number) => value,
  '°F': (value: number) => (value - 32) / 1.8,
} as const
const isUnit = (unit: string): unit is keyof typeof toCelsius => Object.hasOwn(toCelsius, unit)

/** Outdoor temperatures of Open-Meteo's JSON in order of time; hours without a value are left out. Throws ForecastError. */
export function parseForecast(json: unknown): readonly OutdoorValue[] {
  const refused = refusal.safeParse(json)
  if (refused.success) throw new ForecastError(`the source says: ${refused.data.reason.slice(0, 200)}`)
  const parsed = answer.safeParse(json)
  if (!parsed.success) throw new ForecastError(z.prettifyError(parsed.error).slice(0, 300))
  const { utc_offset_seconds: offsetS, hourly, hourly_units: units } = parsed.data
  const { time, temperature_2m: temperatures } = hourly
  if (time.length !== temperatures.length) throw new ForecastError('times and temperatures differ in number')
  const unit = units.temperature_2m
  if (!isUnit(unit)) throw new ForecastError(`"${unit.slice(0, 20)}" is not a unit of temperature`)
  const convert = toCelsius[unit]
  return time
    .flatMap((each, index) => {
      const value = temperatures[index]
      return value === null || value === undefined
        ? []
        : [{ at: toMs(each, offsetS), outdoorC: convert(value) }]
    })
    .sort((left, right) => left.at - right.at)
}
