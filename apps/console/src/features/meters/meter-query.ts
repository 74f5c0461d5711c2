import { getMeterCourse, getMeterRows, meterLevel } from '@isotherm/contract/endpoints/monitoring/meters'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { createListUrl, type ListUrl } from '../../shared/records/list-url.ts'
import { findKnown } from '../../shared/url/url-words.ts'

export const PAGE_ROWS = 100
const REFRESH_MS = 60_000

/** Columns by which the server sorts. */
const sorts = ['place', 'heat', 'missing'] as const

export const meterAddress = createListUrl({
  filters: ['level', 'unit', 'from', 'to', 'by'],
  sorts,
})

export const courseLevels = ['day', 'month', 'season'] as const
export type CourseLevel = (typeof courseLevels)[number]

export const toLevel = ({ filters }: ListUrl) =>
  findKnown(filters.level ?? '', meterLevel.options) ?? 'building'
export const toCourseLevel = ({ filters }: ListUrl): CourseLevel =>
  findKnown(filters.by ?? '', courseLevels) ?? 'day'

const isDate = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')

/** Chosen dates; the server has defaults for absent ones. Undefined if the last is before the first. */
export function findDates({ filters }: ListUrl) {
  const { from, to } = filters
  if (isDate(from) && isDate(to) && to < from) return undefined
  return { ...(isDate(from) ? { from } : {}), ...(isDate(to) ? { to } : {}) }
}

/** Places of the shown page with their heat. */
export function meterRowsQuery(nodes: readonly NodeKey[], text: string, url: ListUrl) {
  const dates = findDates(url) ?? {}
  const input = {
    nodes: [...nodes],
    level: toLevel(url),
    ...dates,
    text,
    sort: findKnown(url.sort ?? '', sorts) ?? 'place',
    descending: url.descending,
    limiter: { page: url.page, size: PAGE_ROWS },
  }
  return queryOptions({
    queryKey: ['meters', 'rows', input],
    queryFn: ({ signal }) => call(getMeterRows, input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

/** Consumption of a meter by day, month or season. */
export const courseQuery = (input: {
  readonly deviceId: number
  readonly level: CourseLevel
  readonly from: string
  readonly to: string
}) =>
  queryOptions({
    queryKey: ['meters', 'course', input],
    queryFn: ({ signal }) => call(getMeterCourse, input, { signal }),
    placeholderData: keepPreviousData,
  })
