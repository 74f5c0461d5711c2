import { MAX_METER_DAYS } from '@isotherm/contract/endpoints/monitoring/meters'
import { DAY_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { type DayRange, toDate, toDayNumber } from '../registers/plant-days.ts'

/** Days from a date to a date, both included. Throws request.malformed and history.range-too-large. */
export function toDays({ from, to }: { readonly from: string; readonly to: string }): DayRange {
  const range = { from: toDayNumber(from), to: toDayNumber(to) + 1 }
  if (range.to <= range.from)
    throw new AppError('request.malformed', { detail: 'to: must not be before from' })
  if (range.to - range.from > MAX_METER_DAYS)
    throw new AppError('history.range-too-large', { maxDays: MAX_METER_DAYS })
  return range
}

/** Dates of a call. `to` is yesterday by default, `from` the first day of the month of `to`. */
export function withDefault(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: number,
): { readonly from: string; readonly to: string } {
  const end = to ?? toDate(today - 1)
  return { from: from ?? `${end.slice(0, 7)}-01`, to: end }
}

/** The days of a range that are over, at least one. */
export const untilToday = ({ from, to }: DayRange, today: number): DayRange => ({
  from,
  to: Math.max(from + 1, Math.min(to, today)),
})

/** The current day of the plant as a day number: its rollup does not exist yet. */
export function createToday(clock: Pick<Clock, 'now'>, zone: string): () => number {
  const { toLocal } = createTimeZone(zone)
  return () => Math.floor(toLocal(clock.now()) / DAY_MS)
}
