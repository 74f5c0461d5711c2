import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'

const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(timeZone, made)
  return made
}

/** Local time minus UTC at an instant, ms, by the digits that a clock there shows. */
function toOffsetMs(instant: number, timeZone: string): number {
  const parts = getFormat(timeZone).formatToParts(instant)
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'))
  return local - Math.floor(instant / 60_000) * 60_000
}

/** The local day of an instant, in days since 1970-01-01. */
export const toDayNumber = (instant: number, timeZone: string): number =>
  Math.floor((instant + toOffsetMs(instant, timeZone)) / DAY_MS)

/** The first instant of a local day, Unix ms. */
export function toDayStart(day: number, timeZone: string): number {
  const noon = day * DAY_MS + 12 * HOUR_MS
  // The offset of the morning is that of midnight, except on days with a changed clock.
  return day * DAY_MS - toOffsetMs(day * DAY_MS - toOffsetMs(noon, timeZone) + HOUR_MS, timeZone)
}

/** The instant some local days later with the same time after its midnight, Unix ms. */
export function addDays(instant: number, days: number, timeZone: string): number {
  const day = toDayNumber(instant, timeZone)
  return toDayStart(day + days, timeZone) + instant - toDayStart(day, timeZone)
}
