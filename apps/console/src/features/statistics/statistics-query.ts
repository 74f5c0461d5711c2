import {
  type CourseStep,
  getReport,
  getReportCourse,
  reportComparison,
  reportLevel,
  reportPeriod,
} from '@isotherm/contract/endpoints/monitoring/statistics'
import { listFigures, mainFigure, reportNames, reports } from '@isotherm/contract/statistics/reports'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { createListUrl, type ListUrl } from '../../shared/records/list-url.ts'
import { findKnown } from '../../shared/url/url-words.ts'

export const PAGE_ROWS = 100

export const reportAddress = createListUrl({
  filters: ['report', 'level', 'period', 'from', 'to', 'compare', 'compareFrom', 'compareTo'],
  sorts: ['place', ...reportNames.flatMap((name) => Object.keys(reports[name].figures))],
})

const isDate = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')
/** Whether both dates are given and in order. */
const isRange = (from: string | undefined, to: string | undefined): boolean =>
  isDate(from) && isDate(to) && from <= to

/** The choices in the URL; the defaults of the page for those that are missing. */
export function toChoice({ filters, sort, descending }: ListUrl) {
  const report = findKnown(filters.report ?? '', reportNames) ?? 'balance'
  const period = findKnown(filters.period ?? '', reportPeriod.options) ?? 'month'
  const compare = findKnown(filters.compare ?? '', reportComparison.options) ?? 'none'
  const main = mainFigure(report)
  const sorted = ['place', ...listFigures(report).map(([name]) => name)].find((each) => each === sort)
  // The worst comes first.
  const isLowBetter = listFigures(report).find(([name]) => name === main)?.[1].better === 'low'
  return {
    report,
    level: findKnown(filters.level ?? '', reportLevel.options) ?? ('building' as const),
    period,
    compare,
    sort: sorted ?? main,
    descending: sorted === undefined ? isLowBetter : descending,
    isComplete:
      (period !== 'range' || isRange(filters.from, filters.to)) &&
      (compare !== 'range' || isRange(filters.compareFrom, filters.compareTo)),
  }
}
export type ReportChoice = ReturnType<typeof toChoice>

const dates = (filters: ListUrl['filters'], names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (isDate(filters[name]) ? [[name, filters[name]]] : [])))

/** Input of the report and of its file, without the page. */
export function toReportInput(nodes: readonly NodeKey[], text: string, url: ListUrl) {
  const { report, level, period, compare, sort, descending } = toChoice(url)
  return {
    report,
    level,
    nodes: [...nodes],
    period,
    compare,
    ...(period === 'range' ? dates(url.filters, ['from', 'to']) : {}),
    ...(compare === 'range' ? dates(url.filters, ['compareFrom', 'compareTo']) : {}),
    text,
    sort,
    descending,
  }
}

export function reportQuery(nodes: readonly NodeKey[], text: string, url: ListUrl) {
  const input = { ...toReportInput(nodes, text, url), limiter: { page: url.page, size: PAGE_ROWS } }
  return queryOptions({
    queryKey: ['statistics', 'report', input],
    queryFn: ({ signal }) => call(getReport, input, { signal }),
    // Keep the shown rows only for the same report: another report has other figures.
    placeholderData: (previous, query) => {
      const [, , shown] = query?.queryKey ?? []
      return typeof shown === 'object' && shown.report === input.report
        ? keepPreviousData(previous)
        : undefined
    },
  })
}

const MAX_DAY_POINTS = 31
const MAX_WEEK_DAYS = 200

/** Time step of the points of a course, so that the chart has at most some dozens. */
export function toStep(days: number): CourseStep {
  if (days <= MAX_DAY_POINTS) return 'day'
  return days <= MAX_WEEK_DAYS ? 'week' : 'month'
}

export function courseQuery(nodes: readonly NodeKey[], url: ListUrl, days: number) {
  const { report, period, ...chosen } = toReportInput(nodes, '', url)
  const { from, to } = chosen as { readonly from?: string; readonly to?: string }
  const ends = { ...(from && { from }), ...(to && { to }) }
  const input = { report, nodes: [...nodes], period, ...ends, step: toStep(days) }
  return queryOptions({
    queryKey: ['statistics', 'course', input],
    queryFn: ({ signal }) => call(getReportCourse, input, { signal }),
  })
}
