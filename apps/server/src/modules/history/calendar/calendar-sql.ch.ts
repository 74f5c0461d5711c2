import type { BucketLevel } from '@isotherm/contract/endpoints/history'
import type { HeatingSeason, MonthDay } from './heating-season.ts'

/** The days of the plant as queries need them. */
export interface Calendar {
  /** IANA name, checked. */
  readonly zone: string
  readonly season: HeatingSeason
}

const toNumber = ({ month, day }: MonthDay): number => month * 100 + day

/** Beginning of the season that a day lies in; only for days that lie in one. */
function toSeasonStart({ first }: HeatingSeason): string {
  const year = `toYear(day) - if(toMonth(day) * 100 + toDayOfMonth(day) < ${toNumber(first)}, 1, 0)`
  return `makeDate(${year}, ${first.month}, ${first.day})`
}

/** Condition that a day counts on a level: what is not heated belongs to no season. */
export function isCounted(level: BucketLevel, { season }: Calendar): string {
  if (level !== 'season') return 'true'
  const number = 'toMonth(day) * 100 + toDayOfMonth(day)'
  const [first, last] = [toNumber(season.first), toNumber(season.last)]
  return first <= last
    ? `${number} BETWEEN ${first} AND ${last}`
    : `(${number} >= ${first} OR ${number} <= ${last})`
}

/** First day of the bucket that `day` lies in. */
export function toBucketDay(level: Exclude<BucketLevel, 'hour'>, { season }: Calendar): string {
  if (level === 'day') return 'day'
  return level === 'month' ? 'toStartOfMonth(day)' : toSeasonStart(season)
}

/** Unix ms at which a day of the plant begins. */
export const toDayMs = (day: string, { zone }: Calendar): string =>
  `toInt64(toUnixTimestamp(toDateTime(${day}, '${zone}'))) * 1000`

/** Day of the plant in which an instant lies that is given as the parameter `name` in Unix ms. */
export const dayOfParam = (name: string, { zone }: Calendar): string =>
  `toDate(fromUnixTimestamp64Milli({${name}: Int64}), '${zone}')`
