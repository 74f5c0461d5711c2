import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  exportReport,
  getReport,
  getReportCourse,
  MeasuredFigures,
} from '@isotherm/contract/endpoints/monitoring/statistics'
import {
  type FigureName,
  mainFigure,
  type ReportName,
  reportNames,
  reports,
} from '@isotherm/contract/statistics/reports'
import type { Gate } from '@isotherm/kernel/gate'
import type { Call } from '../../platform/http/call.ts'
import type { FileAnswer } from '../../platform/http/handlers.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import { CSV_TYPE, toCsvFile } from '../../platform/spreadsheet/csv-writer.ts'
import { toWorkbook } from '../../platform/spreadsheet/workbook-writer.ts'
import { type DayRange, type Meters, sumDegreeDays, toDate } from '../meters/index.ts'
import { type NetworkService, readChains } from '../network/index.ts'
import { toCourseSpans } from './course-spans.ts'
import { toDistribution } from './distribution.ts'
import { findComparison, type PlantCalendar, toPeriod } from './periods.ts'
import { reportTexts, toReportRows, toWidths } from './report-file.ts'
import { type Computed, type CourseValue, type Report, toPlaces } from './reports/report.ts'
import { listReportNodes } from './store/nodes.pg.ts'

export interface StatisticsNeeds {
  readonly db: Database
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly meters: Pick<Meters, 'readWeather' | 'today'>
  readonly season: PlantCalendar['season']
  readonly reports: Readonly<Record<ReportName, Report>>
  /** Limits reports at once. */
  readonly gate: Gate
}

/** The figures of all reports for a part of the network. */
export interface ReportSummary {
  readonly from: string
  readonly to: string
  readonly reports: {
    report: ReportName
    figures: Record<string, number>
    before: Record<string, number>
    measured: number
    devices: number
  }[]
}

/** Statistical reports. The nodes of a call are already checked. */
export interface StatisticsService {
  /** Throws node.not-found, history.range-too-large, request.malformed, request.too-many. */
  getReport(scope: Scope, input: InputOf<typeof getReport>): Promise<OutputOf<typeof getReport>>
  /** Figures of everything below a path for all reports: of the last day or seven days, and as many days before. */
  summarize(path: string, period: 'day' | 'week'): Promise<ReportSummary>
  /** The whole report as a file. Throws the same. */
  exportReport(call: Call, input: InputOf<typeof exportReport>): Promise<FileAnswer>
  /** Throws the same. */
  getCourse(scope: Scope, input: InputOf<typeof getReportCourse>): Promise<OutputOf<typeof getReportCourse>>
}

type Sorting = Pick<InputOf<typeof getReport>, 'report' | 'sort' | 'descending'>

const isFigure = (report: ReportName, name: string | undefined): name is FigureName =>
  name !== undefined && Object.hasOwn(reports[report].figures, name)

/** Order of the rows: by a figure, else as they are. Rows without the figure come last. */
function toOrder(rows: readonly MeasuredFigures[], { report, sort, descending }: Sorting): readonly number[] {
  const order = rows.map((_, index) => index)
  if (!isFigure(report, sort)) return order
  const worst = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const keyOf = (index: number): number => rows[index]?.figures[sort] ?? worst
  return order.sort((left, right) => {
    const [a, b] = [keyOf(left), keyOf(right)]
    if (a === b) return left - right
    return (a < b ? -1 : 1) * (descending ? -1 : 1)
  })
}

/** The figures that are known. */
const toKnown = (of: MeasuredFigures | undefined): Record<string, number> =>
  Object.fromEntries(
    Object.entries(of?.figures ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )

const noValue: CourseValue = { value: undefined, measured: 0, devices: 0 }

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

export function createStatisticsService(needs: StatisticsNeeds): StatisticsService {
  const { db, network, meters, gate } = needs
  const toCalendar = (): PlantCalendar => ({ season: needs.season, today: meters.today() })

  async function readDegreeDays(paths: readonly string[], range: DayRange | undefined) {
    return range && sumDegreeDays(await meters.readWeather(paths, range), range).degreeDays
  }

  /** All rows without a page; those have no chains. */
  async function toReport(
    scope: Scope,
    input: Omit<InputOf<typeof getReport>, 'limiter'>,
    limiter: InputOf<typeof getReport>['limiter'] | undefined,
  ): Promise<OutputOf<typeof getReport>> {
    const calendar = toCalendar()
    const range = toPeriod(input, calendar)
    const before = findComparison(range, input, calendar)
    const paths = await network.resolveNodes(scope, input.nodes)
    const nodes = await listReportNodes(db, { paths, level: input.level, text: input.text.trim() })
    const places = toPlaces(nodes.map(({ path }) => path))
    const report = needs.reports[input.report]
    const now = await report.compute({ paths, range }, places)
    const earlier: Computed | undefined = before && (await report.compute({ paths, range: before }, places))
    const [degreeDays, degreeDaysBefore] = await Promise.all([
      readDegreeDays(paths, range),
      readDegreeDays(paths, before),
    ])
    const main = mainFigure(input.report)
    const order = toOrder(now.rows, input)
    const shown = limiter
      ? order.slice((limiter.page - 1) * limiter.size, limiter.page * limiter.size)
      : order
    const chains = await readChains(db, limiter ? shown.flatMap((index) => nodes[index]?.path ?? []) : [])
    const nothing: MeasuredFigures = { figures: {}, measured: 0, devices: 0 }
    return {
      datalist: shown.flatMap((index) => {
        const node = nodes[index]
        if (!node) return []
        const { key, name, nestaddr, path } = node
        const chain = chains.get(path) ?? []
        const row = { node: key, name, nestaddr, chain, now: now.rows[index] ?? nothing }
        return [{ ...row, ...(earlier ? { before: earlier.rows[index] ?? nothing } : {}) }]
      }),
      total: nodes.length,
      whole: { now: now.whole, ...(earlier ? { before: earlier.whole } : {}) },
      distribution: toDistribution(now.rows.flatMap(({ figures }) => figures[main] ?? [])),
      days: range.to - range.from,
      from: toDate(range.from),
      to: toDate(range.to - 1),
      ...(before ? { before: { from: toDate(before.from), to: toDate(before.to - 1) } } : {}),
      ...(degreeDays === undefined ? {} : { degreeDays }),
      ...(degreeDaysBefore === undefined ? {} : { degreeDaysBefore }),
    }
  }

  return {
    getReport: (scope, input) => gate(() => toReport(scope, input, input.limiter)),

    async summarize(path, period) {
      const scope: Scope = { kind: 'paths', paths: [path] }
      const shared = { period, level: 'company', compare: 'before', text: '', descending: false } as const
      const summaries: ReportSummary['reports'][number][] = []
      let days = { from: '', to: '' }
      for (const report of reportNames) {
        const input = { ...shared, nodes: [], report }
        const { whole, from, to } = await gate(() => toReport(scope, input, undefined))
        const { measured, devices } = whole.now
        const [figures, before] = [toKnown(whole.now), toKnown(whole.before)]
        summaries.push({ report, figures, before, measured, devices })
        days = { from, to }
      }
      return { ...days, reports: summaries }
    },

    async exportReport({ caller, language }, { format, ...input }) {
      const answer = await gate(() => toReport(caller.scope, input, undefined))
      const rows = [...toReportRows(language, input.report, answer)]
      const name = reportTexts[language].reports[input.report]
      const fileName = `${name}-${answer.from}-${answer.to}.${format}`
      if (format === 'csv') return { fileName, type: CSV_TYPE, bytes: toCsvFile(inTurn(rows)) }
      return { fileName, bytes: toWorkbook([{ name, widths: toWidths(rows[0]?.length ?? 1), rows }]) }
    },

    getCourse: (scope, input) =>
      gate(async () => {
        const range = toPeriod(input, toCalendar())
        const paths = await network.resolveNodes(scope, input.nodes)
        const spans = toCourseSpans(range, input.step)
        const values = await needs.reports[input.report].computeCourse({ paths, range }, spans)
        return {
          points: spans.map(({ from, to }, index) => {
            const { value, measured, devices } = values[index] ?? noValue
            const point = { from: toDate(from), to: toDate(to - 1), measured, devices }
            return { ...point, ...(value === undefined ? {} : { value }) }
          }),
        }
      }),
  }
}
