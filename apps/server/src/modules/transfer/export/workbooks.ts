import { deviceKind } from '@isotherm/contract/devices'
import type { Language } from '@isotherm/contract/locales/error-text'
import { emitterKind } from '@isotherm/contract/network/emitters'
import { pipeMaterial } from '@isotherm/contract/network/pipes'
import { type TransferSheet, transferSheet } from '@isotherm/contract/transfer'
import { curveKind } from '@isotherm/contract/valve-characteristic'
import type { Cell, Sheet } from '../../../platform/spreadsheet/workbook-writer.ts'
import type { StoredRow } from '../runs/stored-transfer.ts'
import { type Column, columns } from '../sheets/columns.ts'
import { texts, toFaultText } from '../sheets/texts.ts'

/** Stored values of a row by column. */
export type Values = Readonly<Partial<Record<Column, string | number | boolean | null>>>

const WIDE_COLUMNS: readonly Column[] = ['description', 'place', 'from', 'to', 'curvePoints']

const toWidths = (names: readonly Column[]): number[] =>
  names.map((name) => (WIDE_COLUMNS.includes(name) ? 40 : 16))

const toHeadings = (language: Language, sheet: TransferSheet): Cell[] =>
  columns[sheet].map((column) => texts[language].headings[column])

/** Converts a stored value to a cell in a language. */
function toCell(language: Language, column: Column, value: Values[Column]): Cell {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'boolean') return value ? texts[language].words.yes : undefined
  const kind = column === 'kind' ? deviceKind.safeParse(value).data : undefined
  if (kind) return texts[language].kinds[kind]
  const material = column === 'material' ? pipeMaterial.safeParse(value).data : undefined
  if (material) return texts[language].materials[material]
  const curve = column === 'curve' ? curveKind.safeParse(value).data : undefined
  if (curve) return texts[language].curves[curve]
  const emitter = column === 'emitter' ? emitterKind.safeParse(value).data : undefined
  return emitter ? texts[language].emitters[emitter] : value
}

/** A sheet of stored values in the format that imports read. The rows are read while the sheet is written. */
export function toValueSheet(language: Language, sheet: TransferSheet, rows: AsyncIterable<Values>): Sheet {
  async function* toRows(): AsyncGenerator<Cell[]> {
    yield toHeadings(language, sheet)
    for await (const row of rows) yield columns[sheet].map((column) => toCell(language, column, row[column]))
  }
  return { name: texts[language].sheets[sheet], widths: toWidths(columns[sheet]), rows: toRows() }
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
  return { name: texts[language].sheets[sheet], widths: [...toWidths(columns[sheet]), 50], rows: toRows() }
}

/** The sheets of the import template: empty ones, and one that explains the columns. */
export function toTemplateSheets(language: Language): Sheet[] {
  const { words, sheets, headings, meanings, notes } = texts[language]
  const explained = transferSheet.options.flatMap((sheet) =>
    columns[sheet].map((column) => [sheets[sheet], headings[column], meanings[column]]),
  )
  return [
    ...transferSheet.options.map((sheet) => ({
      name: sheets[sheet],
      widths: toWidths(columns[sheet]),
      rows: [toHeadings(language, sheet)],
    })),
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
