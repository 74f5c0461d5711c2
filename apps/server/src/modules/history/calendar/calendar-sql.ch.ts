import type { BucketLevel } from '@isotherm/contract/endpoints/monitoring/history'
import type { HeatingSeason, MonthDay } from './heating-season.ts'

/** Time zone and heating season of the plant, for queries. */
export interface Calendar {
  /** IANA name, validated. */
  readonly zone: string
  readonly season: HeatingSeason
}

const toNumber = ({ month, day }: MonthDay): number => month * 100 + day

/** First day of the season that contains `day`; only for days inside a season. */
function toSeasonStart({ first }: HeatingSeason): string {
  const year = `toYear(day) - if(toMonth(day) * 100 + toDayOfMonth(day) < ${toNumber(first)}, 1, 0)`
  return `makeDate(${year}, ${first.month}, ${first.day})`
}

/** Condition that a day counts on a level. Days without heating belong to no season. */
export function isCounted(level: BucketLevel, { season }: Calendar): string {
  if (level !== 'season') return 'true'
  const number = 'toMonth(day) * 100 + toDayOfMonth(day)'
  const [first, last] = [toNumber(season.first), toNumber(season.last)]
  return first <= last
    ? `${number} BETWEEN ${first} AND ${last}`
    : `(${number} >= ${first} OR ${number} <= ${last})`
}

/** First day of the bucket that contains `day`. */
export function toBucketDay(level: Exclude<BucketLevel, 'hour'>, { season }: Calendar): string {
  if (level === 'day') return 'day'
  return level === 'month' ? 'toStartOfMonth(day)' : toSeasonStart(season)
}

/** Start of a calendar day of the plant, Unix ms. */
export const toDayMs = (day: string, { zone }: Calendar): string =>
  `toInt64(toUnixTimestamp(toDateTime(${day}, '${zone}'))) * 1000`

/** Calendar day of the plant for the parameter `name`, which is an instant in Unix ms. */
export const dayOfParam = (name: string, { zone }: Calendar): string =>
  `toDate(fromUnixTimestamp64Milli({${name}: Int64}), '${zone}')`
