import type { Language } from '@isotherm/contract/locales/error-text'
import { type TransferSheet, transferSheet } from '@isotherm/contract/transfer'
import type { Cell, Sheet } from '../../../platform/spreadsheet/workbook-writer.ts'
import type { StoredRow } from '../runs/stored-transfer.ts'
import { type Column, columns, neededColumns } from '../sheets/columns.ts'
import { NEEDED_MARK, texts, toFaultText } from '../sheets/texts.ts'

/** Stored values of a row by column. */
export type Values = Readonly<Partial<Record<Column, string | number | boolean | null>>>

const WIDE_COLUMNS: readonly Column[] = ['description', 'place', 'from', 'to', 'curvePoints', 'valves']

const toWidths = (names: readonly Column[]): number[] =>
  names.map((name) => (WIDE_COLUMNS.includes(name) ? 40 : 16))

const toHeadings = (language: Language, sheet: TransferSheet): Cell[] =>
  columns[sheet].map((column) => texts[language].headings[column])

/** The words of the columns that have a fixed choice, by stored value. */
function toWords(language: Language): Readonly<Partial<Record<Column, Readonly<Record<string, string>>>>> {
  const { kinds, materials, emitters, curves, modes, outages, words } = texts[language]
  return {
    kind: kinds,
    material: materials,
    emitter: emitters,
    curve: curves,
    mode: modes,
    afterOutage: outages,
    test: { true: words.yes },
    leakBlocks: { true: words.yes, false: words.no },
  }
}

/** Converts a stored value to a cell in a language. */
function toCell(language: Language, column: Column, value: Values[Column]): Cell {
  if (value === null || value === undefined || value === '') return undefined
  const words = toWords(language)[column]
  if (words) return words[String(value)]
  return typeof value === 'boolean' ? undefined : value
}

/** The head of a sheet: its name, widths, and what a spreadsheet offers in the columns with a fixed choice. */
function toHead(language: Language, sheet: TransferSheet): Omit<Sheet, 'rows'> {
  const words = toWords(language)
  return {
    name: texts[language].sheets[sheet],
    widths: toWidths(columns[sheet]),
    choices: columns[sheet].map((column: Column) => Object.values(words[column] ?? {})),
  }
}

/** A sheet of stored values in the format that imports read. The rows are read while the sheet is written. */
export function toValueSheet(language: Language, sheet: TransferSheet, rows: AsyncIterable<Values>): Sheet {
  async function* toRows(): AsyncGenerator<Cell[]> {
    yield toHeadings(language, sheet)
    for await (const row of rows) yield columns[sheet].map((column) => toCell(language, column, row[column]))
  }
  return { ...toHead(language, sheet), rows: toRows() }
}

/** A sheet of failed rows as in the uploaded file, each with its reason. */
export function toFailedSheet(
  language: Language,
  sheet: TransferSheet,
  rows: AsyncIterable<StoredRow>,
): Sheet {
  async function* toRows(): AsyncGenerator<Cell[]> {
    yield [...toHeadings(language, sheet), texts[language].words.reason]
    for await (const { cells, reason, reasonParams } of rows) {
      yield [
        ...columns[sheet].map((column) => cells[column]),
        reason === null ? undefined : toFaultText(language, reason, reasonParams),
      ]
    }
  }
  const head = toHead(language, sheet)
  return { ...head, widths: [...head.widths, 50], rows: toRows() }
}

const isNeeded = (sheet: TransferSheet, column: Column): boolean =>
  (neededColumns[sheet] as readonly Column[]).includes(column)

/** Headings with a mark on the columns that something new needs. */
const toMarked = (language: Language, sheet: TransferSheet): string[] =>
  columns[sheet].map(
    (column) => texts[language].headings[column] + (isNeeded(sheet, column) ? NEEDED_MARK : ''),
  )

/** Examples of all sheets below each other, as rows that can be copied. No import reads a sheet of this name. */
function* toExampleRows(language: Language): Generator<Cell[]> {
  const { sheets, examples } = texts[language]
  for (const sheet of transferSheet.options) {
    yield [sheets[sheet]]
    yield toMarked(language, sheet)
    for (const row of examples[sheet]) yield columns[sheet].map((column: Column) => row[column])
    yield []
  }
}

/** The sheets of the import template: those to fill in, one with examples, and one that explains the columns. */
export function toTemplateSheets(language: Language): Sheet[] {
  const { words, sheets, meanings, notes } = texts[language]
  const explained = transferSheet.options.flatMap((sheet) => {
    const headings = toMarked(language, sheet)
    return columns[sheet].map((column, index) => [sheets[sheet], headings[index], meanings[column]])
  })
  return [
    ...transferSheet.options.map((sheet) => ({
      ...toHead(language, sheet),
      marked: columns[sheet].flatMap((column, index) => (isNeeded(sheet, column) ? [index] : [])),
      rows: [toMarked(language, sheet)],
    })),
    { name: words.examples, widths: toWidths(columns.devices), rows: toExampleRows(language) },
    {
      name: words.explanations,
      widths: [14, 22, 80],
      rows: [
        [words.sheet, words.column, words.meaning],
        ...explained,
        ...notes.map((note) => ['', '', note]),
      ],
    },
  ]
}
