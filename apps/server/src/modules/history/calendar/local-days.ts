import { DAY_MS } from '@isotherm/kernel/durations'
import { createTimeZone } from '../../../platform/time-zone.ts'

/** Calendar days of the plant; instants are Unix ms. */
export interface LocalDays {
  /** IANA name. */
  readonly zone: string
  /** Midnight at or before an instant. */
  startOfDay(ms: number): number
  /** Midnight after the day that contains an instant. */
  startOfNextDay(ms: number): number
  /** Calendar date of an instant: 2026-11-21. */
  toDate(ms: number): string
}

/** Calendar days of an IANA time zone. Throws RangeError for an unknown zone. */
export function createLocalDays(zone: string): LocalDays {
  const { toLocal, toInstant } = createTimeZone(zone)
  const toLocalDay = (ms: number): number => Math.floor(toLocal(ms) / DAY_MS)
  return {
    zone,
    startOfDay: (ms) => toInstant(toLocalDay(ms) * DAY_MS),
    startOfNextDay: (ms) => toInstant((toLocalDay(ms) + 1) * DAY_MS),
    toDate: (ms) => new Date(toLocalDay(ms) * DAY_MS).toISOString().slice(0, 10),
  }
}
