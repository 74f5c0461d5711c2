import type { CourseStep } from '@isotherm/contract/endpoints/monitoring/statistics'
import { type DayRange, toDate } from '../meters/index.ts'

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const toWeek = (day: number): number => Math.floor((day + 3) / 7)

const keys: Readonly<Record<CourseStep, (day: number) => number | string>> = {
  day: (day) => day,
  week: toWeek,
  month: (day) => toDate(day).slice(0, 7),
}

/** The local days, weeks or months of a range, in order. The first and last may be partial. */
export function toCourseSpans({ from, to }: DayRange, step: CourseStep): readonly DayRange[] {
  const spans: { from: number; to: number }[] = []
  let last: number | string | undefined
  for (let day = from; day < to; day += 1) {
    const key = keys[step](day)
    const open = spans.at(-1)
    if (open && key === last) open.to = day + 1
    else spans.push({ from: day, to: day + 1 })
    last = key
  }
  return spans
}
