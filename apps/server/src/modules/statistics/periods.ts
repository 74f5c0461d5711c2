import type { reportComparison, reportPeriod } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { z } from 'zod'
import { AppError } from '../../platform/app-error.ts'
import {
  type DayRange,
  findSeasonStart,
  type Season,
  toDate,
  toDayNumber,
  toDays,
  untilToday,
} from '../meters/index.ts'

interface Dates {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface PeriodChoice extends Dates {
  readonly period: z.infer<typeof reportPeriod>
}

export interface ComparisonChoice extends PeriodChoice {
  readonly compare: z.infer<typeof reportComparison>
  readonly compareFrom?: string | undefined
  readonly compareTo?: string | undefined
}

export interface PlantCalendar {
  readonly season: Season
  /** The current day of the plant, which is not over. */
  readonly today: number
}

const YEAR_DAYS = 366

/** A range that a user chose. Throws request.malformed and history.range-too-large. */
function toChosen({ from, to }: Dates, name: string, today: number): DayRange {
  if (from === undefined || to === undefined)
    throw new AppError('request.malformed', { detail: `${name}: needs both dates` })
  return untilToday(toDays({ from, to }), today)
}

/** The heating season until yesterday, or the last one. */
function findSeason({ season, today }: PlantCalendar): DayRange {
  for (let day = today - 1; day > today - YEAR_DAYS; day -= 1) {
    const start = findSeasonStart(season, day)
    if (start !== undefined) return { from: toDayNumber(start), to: day + 1 }
  }
  return { from: today - 1, to: today }
}

const lengths = { day: 1, week: 7, month: 30 } as const

/** The days of a period that are over. */
export function toPeriod({ period, ...dates }: PeriodChoice, calendar: PlantCalendar): DayRange {
  const { today } = calendar
  if (period === 'range') return toChosen(dates, 'from, to', today)
  if (period === 'season') return findSeason(calendar)
  return { from: today - lengths[period], to: today }
}

/** The same date a year before; 29 February becomes 1 March. */
function yearBefore(day: number): number {
  const date = toDate(day)
  return toDayNumber(
    new Date(Date.UTC(Number(date.slice(0, 4)) - 1, Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))))
      .toISOString()
      .slice(0, 10),
  )
}

/** The days to compare a period with. `before` is the range that ends where the period starts; for a season, the same days a year before. */
export function findComparison(
  { from, to }: DayRange,
  { period, compare, compareFrom, compareTo }: ComparisonChoice,
  { today }: PlantCalendar,
): DayRange | undefined {
  if (compare === 'none') return undefined
  if (compare === 'range')
    return toChosen({ from: compareFrom, to: compareTo }, 'compareFrom, compareTo', today)
  if (compare === 'before' && period !== 'season') return { from: 2 * from - to, to: from }
  const start = yearBefore(from)
  return { from: start, to: start + to - from }
}
