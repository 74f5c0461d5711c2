import type { OutputOf } from '@isotherm/contract/endpoint'
import type { CourseBucket, getMeterCourse } from '@isotherm/contract/endpoints/monitoring/meters'
import type { RegisterCount } from './count-register.ts'
import { sumDegreeDays } from './degree-days.ts'
import { type DayRange, toDate } from './plant-days.ts'
import { findSeasonStart, type Season } from './season.ts'
import { sumHeat } from './sum-heat.ts'

interface CourseQuery {
  readonly level: 'day' | 'month' | 'season'
  readonly range: DayRange
  readonly season: Season
  readonly outdoorC: ReadonlyMap<number, number>
}

const starts = {
  day: (_: Season, day: number) => toDate(day),
  month: (_: Season, day: number) => `${toDate(day).slice(0, 7)}-01`,
  season: findSeasonStart,
} as const

/** Runs of days with the same start. */
function toBuckets({ level, range, season }: CourseQuery): (DayRange & { readonly start: string })[] {
  const buckets: { from: number; to: number; start: string }[] = []
  for (let day = range.from; day < range.to; day += 1) {
    const start = starts[level](season, day)
    const last = buckets.at(-1)
    if (start === undefined) continue
    if (last?.start === start && last.to === day) last.to = day + 1
    else buckets.push({ from: day, to: day + 1, start })
  }
  return buckets
}

/** Consumption by bucket, and the segments of the register that touch the range. */
export function toCourse(
  count: RegisterCount | undefined,
  query: CourseQuery,
): OutputOf<typeof getMeterCourse> {
  if (!count) return { buckets: [], segments: [] }
  const buckets = toBuckets(query).map((bucket): CourseBucket => {
    const { uncountedDays: _, ...heat } = sumHeat(count, bucket)
    const { degreeDays } = sumDegreeDays(query.outdoorC, bucket)
    const days = bucket.to - bucket.from
    return { start: bucket.start, days, ...heat, ...(degreeDays === undefined ? {} : { degreeDays }) }
  })
  const segments = count.segments
    .filter(({ from, to }) => to >= query.range.from && from < query.range.to)
    .map(({ begins, from, to, firstKwh, lastKwh }) => ({
      begins,
      from: toDate(from),
      to: toDate(to),
      firstKwh,
      lastKwh,
    }))
  return { buckets, segments }
}
