import type { Language } from '@isotherm/contract/locales/error-text'
import { findMetricById, metrics } from '@isotherm/contract/metrics'
import { CSV_LINE_END, CSV_START, toCsvCells } from '../../platform/csv-writer.ts'
import { type Cell, type Sheet, toWorkbook } from '../../platform/xlsx/workbook-writer.ts'
import type { ExportLevel, ExportRow } from './export-store.ts'
import { exportEn } from './locales/en.ts'
import { exportZh } from './locales/zh.ts'

export const exportTexts: Readonly<Record<Language, typeof exportZh>> = { zh: exportZh, en: exportEn }

/** What is said of a device in each of its rows: serial, name and place. */
export type Label = readonly [serial: string, name: string, place: string]

/** Of a device that was removed meanwhile. */
const NO_LABEL: Label = ['', '', '']

/** Rows and what is said of their devices, a piece at a time. */
export interface LabelledRows {
  readonly labels: ReadonlyMap<number, Label>
  readonly rows: readonly ExportRow[]
}

/** Rows of a sheet besides its headings: it ends at row 1,048,576. */
export const SHEET_ROWS = 1_048_575
const WIDTHS = [16, 24, 40, 18, 8, 20, 12, 12, 12, 12, 12, 12, 12]

function toHeadings(language: Language, level: ExportLevel): readonly string[] {
  const { serial, name, place, metric, unit, time, value, quality, ...words } = exportTexts[language]
  const first = [serial, name, place, metric, unit]
  if (level === 'raw') return [...first, time, value, quality]
  const { start, total, good, avg, min, max, first: early, last } = words
  return [...first, start, total, good, avg, min, max, early, last]
}

/** Name and unit of a metric; one the registry no longer has goes by its number. */
function toMetric(metricId: number): readonly [name: string, unit: string] {
  const name = findMetricById(metricId)
  return name ? [name, metrics[name].unit] : [String(metricId), '']
}

/** How the store writes that there is no value. */
const NOTHING = '\\N'

async function* toRows(pieces: AsyncIterable<LabelledRows>): AsyncGenerator<readonly Cell[]> {
  for await (const { labels, rows } of pieces) {
    for (const { deviceId, metricId, time, numbers } of rows) {
      const cells = numbers.map((number) => (number === NOTHING ? undefined : Number(number)))
      yield [...(labels.get(deviceId) ?? NO_LABEL), ...toMetric(metricId), time, ...cells]
    }
  }
}

/** Lines of a piece. Rows stand by device and metric, and the store has written the numbers as text already. */
function toLines({ labels, rows }: LabelledRows): string {
  let text = ''
  let start = ''
  let [device, metric] = [Number.NaN, Number.NaN]
  for (const { deviceId, metricId, time, numbers } of rows) {
    if (deviceId !== device || metricId !== metric) {
      start = toCsvCells([...(labels.get(deviceId) ?? NO_LABEL), ...toMetric(metricId)])
      device = deviceId
      metric = metricId
    }
    text += `${start},${time}`
    for (const number of numbers) text += number === NOTHING ? ',' : `,${number}`
    text += CSV_LINE_END
  }
  return text
}

/** A csv file as fast as it is taken, a piece of rows at a time. */
export async function* toCsv(
  language: Language,
  level: ExportLevel,
  pieces: AsyncIterable<LabelledRows>,
): AsyncGenerator<Buffer> {
  let head = CSV_START + toCsvCells(toHeadings(language, level)) + CSV_LINE_END
  for await (const piece of pieces) {
    yield Buffer.from(head + toLines(piece))
    head = ''
  }
  if (head !== '') yield Buffer.from(head)
}

/** As many rows as a sheet holds; the rest stays in the iterator. */
async function* takeSheet(
  rows: AsyncIterator<readonly Cell[]>,
  most: number,
): AsyncGenerator<readonly Cell[]> {
  for (let taken = 0; taken < most; taken += 1) {
    const next = await rows.next()
    if (next.done) return
    yield next.value
  }
}

/** A workbook as fast as it is taken, of as many sheets as `count` rows need. */
export async function* toSheets(
  language: Language,
  level: ExportLevel,
  count: number,
  pieces: AsyncIterable<LabelledRows>,
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
