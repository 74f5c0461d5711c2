import type { Language } from '@isotherm/contract/locales/error-text'
import { findMetricById, metrics } from '@isotherm/contract/metrics'
import { CSV_LINE_END, CSV_START, toCsvCells } from '../../../platform/spreadsheet/csv-writer.ts'
import {
  type Cell,
  SHEET_ROWS,
  type Sheet,
  toWorkbook,
} from '../../../platform/spreadsheet/workbook-writer.ts'
import { exportEn } from '../locales/en.ts'
import { exportZh } from '../locales/zh.ts'
import { type ExportLevel, type ExportRun, ROW_END } from './export-query.ts'

export const exportTexts: Readonly<Record<Language, typeof exportZh>> = { zh: exportZh, en: exportEn }

/** Description of a device in each of its rows. */
export type Label = readonly [serial: string, name: string, place: string]

/** For a device that was removed meanwhile. */
const NO_LABEL: Label = ['', '', '']

/** A piece of the rows, and the labels of their devices. */
export interface LabelledRuns {
  readonly labels: ReadonlyMap<number, Label>
  readonly runs: readonly ExportRun[]
}

const WIDTHS = [16, 24, 40, 18, 8, 20, 12, 12, 12, 12, 12, 12, 12]

function toHeadings(language: Language, level: ExportLevel): readonly string[] {
  const { serial, name, place, metric, unit, time, value, quality, ...words } = exportTexts[language]
  const first = [serial, name, place, metric, unit]
  if (level === 'raw') return [...first, time, value, quality]
  const { start, total, good, avg, min, max, first: early, last } = words
  return [...first, start, total, good, avg, min, max, early, last]
}

/** Name and unit of a metric; a metric that is no longer registered has its id as the name. */
function toMetric(metricId: number): readonly [name: string, unit: string] {
  const name = findMetricById(metricId)
  return name ? [name, metrics[name].unit] : [String(metricId), '']
}

/** First cells of each row of a run. */
const toStart = (labels: LabelledRuns['labels'], { deviceId, metricId }: ExportRun) => [
  ...(labels.get(deviceId) ?? NO_LABEL),
  ...toMetric(metricId),
]

async function* toRows(pieces: AsyncIterable<LabelledRuns>): AsyncGenerator<readonly Cell[]> {
  for await (const { labels, runs } of pieces) {
    for (const run of runs) {
      const start = toStart(labels, run)
      for (const row of run.rows.split(ROW_END)) {
        const [time, ...numbers] = row.split(',')
        yield [...start, time, ...numbers.map((number) => (number === '' ? undefined : Number(number)))]
      }
    }
  }
}

/** Lines of a run. The store formats the rows as they appear in the file. */
function toLines(labels: LabelledRuns['labels'], run: ExportRun): string {
  const start = `${toCsvCells(toStart(labels, run))},`
  return start + run.rows.split(ROW_END).join(CSV_LINE_END + start) + CSV_LINE_END
}

/** Streams a csv file, one run of rows at a time. */
export async function* toCsv(
  language: Language,
  level: ExportLevel,
  pieces: AsyncIterable<LabelledRuns>,
): AsyncGenerator<Buffer> {
  let head = CSV_START + toCsvCells(toHeadings(language, level)) + CSV_LINE_END
  for await (const { labels, runs } of pieces) {
    for (const run of runs) {
      yield Buffer.from(head + toLines(labels, run))
      head = ''
    }
  }
  if (head !== '') yield Buffer.from(head)
}

/** Yields the rows of one sheet; further rows stay in the iterator. */
async function* takeSheet(
  rows: AsyncIterator<readonly Cell[]>,
  max: number,
): AsyncGenerator<readonly Cell[]> {
  for (let taken = 0; taken < max; taken += 1) {
    const next = await rows.next()
    if (next.done) return
    yield next.value
  }
}

/** Streams a workbook with as many sheets as `count` rows need. */
export async function* toSheets(
  language: Language,
  level: ExportLevel,
  count: number,
  pieces: AsyncIterable<LabelledRuns>,
  sheetRows = SHEET_ROWS,
): AsyncGenerator<Buffer> {
  const rows = toRows(pieces)
  const headings = toHeadings(language, level)
  const sheets = Array.from({ length: Math.max(1, Math.ceil(count / sheetRows)) }, (_, index): Sheet => {
    async function* filled(): AsyncGenerator<readonly Cell[]> {
      yield headings
      yield* takeSheet(rows, sheetRows)
    }
    return { name: `${exportTexts[language].file} ${index + 1}`, widths: WIDTHS, rows: filled() }
  })
  try {
    yield* toWorkbook(sheets)
  } finally {
    await rows.return(undefined)
  }
}
