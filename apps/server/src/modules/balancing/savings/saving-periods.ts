import { type DayRange, MAX_SAVING_DAYS } from '@isotherm/contract/balancing/heat-saving'
import { DAY_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { TimeZone } from '../../../platform/time-zone.ts'
import type { HeatingSeason, MonthDay } from '../../history/index.ts'

/** Number of days before, and after, the first change that are compared. They contain a whole heating season, at any time of change. */
const YEAR_DAYS = 365

export interface SavingPeriods {
  readonly baseline: DayRange
  readonly after: DayRange
}

/** A calendar day of a company, with its instants. */
export interface CalendarDay {
  readonly date: string
  /** Unix ms, half open. */
  readonly from: number
  readonly to: number
}

/** Dates as Unix ms of their midnight in UTC, where every day has 24 hours. */
const toDay = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const toDate = (dayMs: number): string => new Date(dayMs).toISOString().slice(0, 10)
const plus = (date: string, days: number): string => toDate(toDay(date) + days * DAY_MS)
const countDays = ({ from, to }: DayRange): number => (toDay(to) - toDay(from)) / DAY_MS + 1
/** ISO dates sort as texts. */
const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a < b ? b : a)

/** Date of an instant in a time zone. */
export const dateOf = ({ toLocal }: TimeZone, ms: number): string =>
  toDate(Math.floor(toLocal(ms) / DAY_MS) * DAY_MS)

/** The days of a range with their instants in a time zone. */
export function listDays(range: DayRange, { toInstant }: TimeZone): readonly CalendarDay[] {
  const first = toDay(range.from)
  return Array.from({ length: Math.max(0, countDays(range)) }, (_, at) => {
    const day = first + at * DAY_MS
    return { date: toDate(day), from: toInstant(day), to: toInstant(day + DAY_MS) }
  })
}

const numberOf = ({ month, day }: MonthDay): number => month * 100 + day
const numberOfDate = (date: string): number => Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10))

/** Whether a date is in the heating season. */
export function isInSeason(date: string, { first, last }: HeatingSeason): boolean {
  const [at, from, to] = [numberOfDate(date), numberOf(first), numberOf(last)]
  return from <= to ? at >= from && at <= to : at >= from || at <= to
}

const inYear = (year: number, { month, day }: MonthDay): string => toDate(Date.UTC(year, month - 1, day))

/** The last season that began at or before a date, and the one before it. */
function lastSeasons(
  date: string,
  { first, last }: HeatingSeason,
): readonly [before: DayRange, present: DayRange] {
  const own = Number(date.slice(0, 4))
  const year = inYear(own, first) <= date ? own : own - 1
  const isOverNewYear = numberOf(first) > numberOf(last)
  const season = (start: number): DayRange => ({
    from: inYear(start, first),
    to: inYear(start + (isOverNewYear ? 1 : 0), last),
  })
  return [season(year - 1), season(year)]
}

/**
 * Periods that are compared if people choose none: a year before and a year after the first change of a station, without
 * the day of the change, or the last two heating seasons. Today is not over and is left out.
 */
export function toUsualPeriods(
  today: string,
  season: HeatingSeason,
  changed: string | undefined,
): SavingPeriods {
  const yesterday = plus(today, -1)
  if (changed === undefined) {
    const [baseline, present] = lastSeasons(yesterday, season)
    return { baseline, after: { from: present.from, to: earlier(present.to, yesterday) } }
  }
  const from = plus(changed, 1)
  return {
    baseline: { from: plus(changed, -YEAR_DAYS), to: plus(changed, -1) },
    after: { from, to: later(from, earlier(yesterday, plus(changed, YEAR_DAYS))) },
  }
}

/** Throws request.malformed for an empty range or ranges that overlap, and history.range-too-large. */
export function checkPeriods({ baseline, after }: SavingPeriods): void {
  for (const [name, range] of Object.entries({ baseline, after })) {
    const days = countDays(range)
    if (days < 1) throw new AppError('request.malformed', { detail: `${name}.to: must not be before from` })
    if (days > MAX_SAVING_DAYS) throw new AppError('history.range-too-large', { maxDays: MAX_SAVING_DAYS })
  }
  if (baseline.from <= after.to && after.from <= baseline.to)
    throw new AppError('request.malformed', { detail: 'after: must not overlap baseline' })
}
