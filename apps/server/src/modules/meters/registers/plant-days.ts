import { DAY_MS } from '@isotherm/kernel/durations'

/** A calendar day as the number of days since 1970-01-01. */
export const toDayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Calendar date of a day number: 2026-11-21. */
export const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Days from `from` to before `to`. */
export interface DayRange {
  readonly from: number
  readonly to: number
}
