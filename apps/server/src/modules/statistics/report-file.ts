import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getReport, MeasuredFigures } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { Language } from '@isotherm/contract/locales/error-text'
import { type FigureDefinition, listFigures, type ReportName } from '@isotherm/contract/statistics/reports'
import type { Cell } from '../../platform/spreadsheet/workbook-writer.ts'
import { reportTextsEn } from './locales/en.ts'
import { reportTextsZh } from './locales/zh.ts'

export const reportTexts: Readonly<Record<Language, typeof reportTextsZh>> = {
  zh: reportTextsZh,
  en: reportTextsEn,
}

const PLACE_WIDTH = 44
const FIGURE_WIDTH = 18

/** Widths of the columns of a file. */
export const toWidths = (columns: number): number[] => [
  PLACE_WIDTH,
  ...new Array<number>(columns - 1).fill(FIGURE_WIDTH),
]

function toCell(value: number | undefined, { unit, decimals }: FigureDefinition): Cell {
  if (value === undefined) return undefined
  const shown = unit === 'share' ? value * 100 : value
  return Number(shown.toFixed(decimals))
}

type Answer = OutputOf<typeof getReport>

/** Rows of a report as a file: headings, everything, then the nodes in their order. */
export function* toReportRows(
  language: Language,
  report: ReportName,
  { datalist, whole, from, to }: Answer,
): Generator<readonly Cell[]> {
  const text = reportTexts[language]
  const figures = listFigures(report)
  const isCompared = whole.before !== undefined
  const names = [...figures.map(([name]) => text.figures[name]), text.measured, text.devices]
  const compared = isCompared ? names.map((name) => `${text.compared}${name}`) : []
  yield [text.place, text.from, text.to, ...names, ...compared]
  const toCells = (of: MeasuredFigures | undefined): readonly Cell[] => [
    ...figures.map(([name, definition]) => toCell(of?.figures[name], definition)),
    of?.measured,
    of?.devices,
  ]
  const toRow = (place: string, now: MeasuredFigures, before: MeasuredFigures | undefined) => [
    place,
    from,
    to,
    ...toCells(now),
    ...(isCompared ? toCells(before) : []),
  ]
  yield toRow('Σ', whole.now, whole.before)
  for (const { nestaddr, now, before } of datalist) yield toRow(nestaddr.replaceAll(',', ' / '), now, before)
}
