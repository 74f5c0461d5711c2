import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** Position on the earth, degrees; north and east are positive. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** Sunrise and sunset of a day, Unix ms. Undefined where the sun does not rise or does not set. */
export interface SunTimes {
  readonly sunrise: number
  readonly sunset: number
}

const DEG = Math.PI / 180
/** Zenith of sunrise: the radius of the sun and refraction at the horizon make it 0.833° more than 90°. */
const ZENITH = 90.833 * DEG
const DAY_MINUTES = 1_440

/**
 * Sunrise and sunset by the general solar position equations of NOAA's Global Monitoring Division, to about a minute below
 * 65° of latitude. `localDay` is the local midnight on a clock of UTC digits, Unix ms; `offsetMs` is local time minus UTC.
 */
export function computeSunTimes(
  localDay: number,
  offsetMs: number,
  position: Position,
): SunTimes | undefined {
  const date = new Date(localDay)
  const newYear = Date.UTC(date.getUTCFullYear(), 0, 1)
  const dayOfYear = Math.floor((localDay - newYear) / DAY_MS)
  const year = (2 * Math.PI * (dayOfYear + 0.5 - offsetMs / DAY_MS)) / 365
  const equationMin =
    229.18 *
    (0.000075 +
      0.001868 * Math.cos(year) -
      0.032077 * Math.sin(year) -
      0.014615 * Math.cos(2 * year) -
      0.040849 * Math.sin(2 * year))
  const declination =
    0.006918 -
    0.399912 * Math.cos(year) +
    0.070257 * Math.sin(year) -
    0.006758 * Math.cos(2 * year) +
    0.000907 * Math.sin(2 * year) -
    0.002697 * Math.cos(3 * year) +
    0.00148 * Math.sin(3 * year)
  const latitude = position.latitude * DEG
  const cosHour =
    Math.cos(ZENITH) / (Math.cos(latitude) * Math.cos(declination)) -
    Math.tan(latitude) * Math.tan(declination)
  if (cosHour < -1 || cosHour > 1) return undefined
  const hourDeg = Math.acos(cosHour) / DEG
  const toInstant = (hour: number): number =>
    localDay -
    offsetMs +
    (DAY_MINUTES / 2 - 4 * (position.longitude + hour) - equationMin + offsetMs / MINUTE_MS) * MINUTE_MS
  return { sunrise: Math.round(toInstant(hourDeg)), sunset: Math.round(toInstant(-hourDeg)) }
}
