import type { AlarmHours, AlarmSeason } from '@isotherm/contract/alarms/alarm-kinds'

/** Local day of the year as MM-DD and hour of the day. */
export interface LocalTime {
  readonly day: string
  readonly hour: number
}

/** Offsets of time zones are whole quarters of an hour, so day and hour are constant within a quarter. */
const QUARTER_MS = 900_000
const CACHE_SIZE = 1_000

/** Converts instants (Unix ms) to local time of a zone. Throws RangeError for an unknown zone. */
export function createLocalClock(timeZone: string): (at: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  })
  const cache = new Map<number, LocalTime>()
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS)
    const known = cache.get(quarter)
    if (known) return known
    const parts = new Map(format.formatToParts(quarter * QUARTER_MS).map(({ type, value }) => [type, value]))
    const local = { day: `${parts.get('month')}-${parts.get('day')}`, hour: Number(parts.get('hour')) }
    if (cache.size >= CACHE_SIZE) cache.clear()
    cache.set(quarter, local)
    return local
  }
}

/** Whether a local time is inside the season and the hours; null means always. */
export function isInForce(
  { season, hours }: { readonly season: AlarmSeason | null; readonly hours: AlarmHours | null },
  { day, hour }: LocalTime,
): boolean {
  if (season) {
    const isAfter = day >= season.from
    const isBefore = day <= season.to
    if (season.from <= season.to ? !(isAfter && isBefore) : !(isAfter || isBefore)) return false
  }
  if (!hours) return true
  const isLate = hour >= hours.from
  const isEarly = hour < hours.to
  return hours.from < hours.to ? isLate && isEarly : isLate || isEarly
}
