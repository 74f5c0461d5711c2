import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { type FigureName, reportNames } from '../../statistics/reports.ts'
import { nodeKey } from '../../tree.ts'
import { treeStep } from '../network/tree.ts'

/** Levels of the tree at which reports have rows. */
export const reportLevel = z.enum(['company', 'station', 'residentialArea', 'building', 'unit'])
export type ReportLevel = z.infer<typeof reportLevel>

/** Width of the points of a course: local days, weeks from Monday, months. */
export const courseStep = z.enum(['day', 'week', 'month'])
export type CourseStep = z.infer<typeof courseStep>

/**
 * Days of a report, in the plant's zone: yesterday, the last 7 or 30 days, the heating season until yesterday (outside of
 * it: the last one), or a range from `from` to `to`.
 */
export const reportPeriod = z.enum(['day', 'week', 'month', 'season', 'range'])
export type ReportPeriod = z.infer<typeof reportPeriod>

/**
 * Days to compare with: as many days right before (for a season: the season before), the same dates a year before, or a
 * range from `compareFrom` to `compareTo`.
 */
export const reportComparison = z.enum(['none', 'before', 'year', 'range'])
export type ReportComparison = z.infer<typeof reportComparison>

const viewingStatistics = requiresPermission('ps-statsys')
const common = { backend: 'ht-api', method: 'POST', access: viewingStatistics, effect: 'reads' } as const

/** Days of the plant from `from` to `to`, both included. */
const range = { from: z.iso.date(), to: z.iso.date() }
const nodes = z.array(refersTo('node', nodeKey)).max(2_000).default([])
const report = z.enum(reportNames as [(typeof reportNames)[number], ...(typeof reportNames)[number][]])
const figures = z.custom<Readonly<Partial<Record<FigureName, number>>>>()

/** Figures of a node in a range. A figure that is not known is absent. */
export const measuredFigures = z.object({
  figures: z.partialRecord(z.string(), z.number()),
  /** Devices that contribute, and all devices that could. */
  measured: z.number().int(),
  devices: z.number().int(),
})
export type MeasuredFigures = Omit<z.infer<typeof measuredFigures>, 'figures'> & {
  readonly figures: z.infer<typeof figures>
}

const reportRow = z.object({
  node: nodeKey,
  name: z.string(),
  /** Names from the project down to the node, joined by commas. */
  nestaddr: z.string(),
  /** Path from the project down to the node, so that other pages can show it. */
  chain: z.array(treeStep),
  now: measuredFigures,
  /** Figures of the range that is compared. */
  before: measuredFigures.optional(),
})
export type ReportRow = z.infer<typeof reportRow>

const reported = {
  report,
  /** Subtrees; an empty list means everything granted to the caller. */
  nodes,
  period: reportPeriod.default('month'),
  from: range.from.optional(),
  to: range.to.optional(),
}

const compared = {
  ...reported,
  level: reportLevel,
  compare: reportComparison.default('none'),
  compareFrom: range.from.optional(),
  compareTo: range.to.optional(),
  /** Part of the place's name or address. */
  text: z.string().max(60).default(''),
  /** Figure that sorts the rows; default: in the order of the tree. Nodes without it come last. */
  sort: z.string().max(40).optional(),
  descending: z.boolean().default(false),
}

export const getReport = defineEndpoint({
  ...common,
  path: '/Stat/GetReport',
  summary:
    'A statistical report: figures of the nodes of a level over local days, ranked, with a second range to compare.',
  input: z.object({
    ...compared,
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: z.object({
    datalist: z.array(reportRow),
    total: z.number().int(),
    /** Figures of everything that is selected. */
    whole: z.object({ now: measuredFigures, before: measuredFigures.optional() }),
    /** Values of the main figure over the nodes: counts between bounds, of which there is one more. */
    distribution: z.object({ bounds: z.array(z.number()), counts: z.array(z.number().int()) }),
    /** Days of the range that are over, and their first and last. */
    days: z.number().int(),
    ...range,
    /** The days that are compared. */
    before: z.object(range).optional(),
    /** Degree-days, base 18 °C; absent if more than a tenth of the days has no outdoor temperature. */
    degreeDays: z.number().optional(),
    degreeDaysBefore: z.number().optional(),
  }),
  errors: ['node.not-found', 'history.range-too-large'],
})

export const getReportCourse = defineEndpoint({
  ...common,
  path: '/Stat/GetReportCourse',
  summary: 'Course of the main figure of a statistical report by local day, week or month.',
  input: z.object({ ...reported, step: courseStep }),
  output: z.object({
    points: z.array(
      z.object({
        from: z.iso.date(),
        to: z.iso.date(),
        value: z.number().optional(),
        measured: z.number().int(),
        devices: z.number().int(),
      }),
    ),
  }),
  errors: ['node.not-found', 'history.range-too-large'],
})

export const exportReport = defineEndpoint({
  ...common,
  path: '/Stat/ExportReport',
  summary:
    'A statistical report as csv or workbook: everything, then one row for each node, with the compared range.',
  file: 'download',
  input: z.object({ ...compared, format: z.enum(['csv', 'xlsx']) }),
  output: z.null(),
  errors: ['node.not-found', 'history.range-too-large', 'request.too-many'],
})

export const statisticsEndpoints = { getReport, getReportCourse, exportReport } as const
