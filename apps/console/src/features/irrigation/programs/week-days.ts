import { toDayNumber, toDayStart } from '../../../shared/format/zone-days.ts'

/** A local day, in days since 1970-01-01, and its start, Unix ms. */
interface WeekDay {
  readonly day: number
  readonly startMs: number
}

/** The seven days from the day of an instant on. */
export function listWeekDays(instant: number, timeZone: string): readonly WeekDay[] {
  const first = toDayNumber(instant, timeZone)
  return Array.from({ length: 7 }, (_, later) => ({
    day: first + later,
    startMs: toDayStart(first + later, timeZone),
  }))
}
