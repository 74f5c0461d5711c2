import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Plant } from '../plant/plant.ts'
import { writeFileWhole } from './write-file.ts'

/**
 * A week. The server reads the file every half hour; in that time the demo, at sixty simulated seconds per second,
 * simulates 30 hours.
 */
const HOURS = 168

/** Relation of simulated time to the time of messages. */
export interface WireTime {
  readonly nowMs: number
  /** Simulated seconds per second. */
  readonly timeFactor: number
}

/**
 * The weather of the next week as a forecast without error, in the JSON of Open-Meteo (open-meteo.com/en/docs) with
 * times in seconds since 1970. An hour of the plant takes an hour divided by the time factor.
 */
export function toForecast(
  { weather, simTimeS }: Pick<Plant, 'weather' | 'simTimeS'>,
  { nowMs, timeFactor }: WireTime,
) {
  const hours = Array.from({ length: HOURS }, (_, hour) => hour)
  return {
    utc_offset_seconds: 0,
    hourly_units: { time: 'unixtime', temperature_2m: '°C' },
    hourly: {
      time: hours.map((hour) => Math.round((nowMs + (hour * HOUR_MS) / timeFactor) / 1000)),
      temperature_2m: hours.map((hour) => Math.round(10 * weather(simTimeS + hour * 3600).outdoorC) / 10),
    },
  }
}

export const writeForecast = (path: string, plant: Pick<Plant, 'weather' | 'simTimeS'>, at: WireTime): void =>
  writeFileWhole(path, `${JSON.stringify(toForecast(plant, at))}\n`)
