import { deviceKind } from '@isotherm/contract/devices'
import { emitterKind } from '@isotherm/contract/emitters'
import type { Language } from '@isotherm/contract/locales/error-text'
import { pipeMaterial } from '@isotherm/contract/pipes'
import { type TransferSheet, transferSheet } from '@isotherm/contract/transfer'
import type { Cell, Sheet } from '../../../platform/spreadsheet/workbook-writer.ts'
import type { StoredRow } from '../runs/stored-transfer.ts'
import { type Column, columns } from '../sheets/columns.ts'
import { texts, toFaultText } from '../sheets/texts.ts'

/** Values of a row by column, as they are stored. */
export type Values = Readonly<Partial<Record<Column, string | number | boolean | null>>>

const LONG: readonly Column[] = ['description', 'place', 'from', 'to']

const toWidths = (names: readonly Column[]): number[] => names.map((name) => (LONG.includes(name) ? 40 : 16))

const toHeadings = (language: Language, sheet: TransferSheet): Cell[] =>
  columns[sheet].map((column) => texts[language].headings[column])

/** A stored value as a cell of the language. */
function toCell(language: Language, column: Column, value: Values[Column]): Cell {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'boolean') return value ? texts[language].words.yes : undefined
  const kind = column === 'kind' ? deviceKind.safeParse(value).data : undefined
  if (kind) return texts[language].kinds[kind]
  const material = column === 'material' ? pipeMaterial.safeParse(value).data : undefined
  if (material) return texts[language].materials[material]
  const emitter = column === 'emitter' ? emitterKind.safeParse(value).data : undefined
  return emitter ? texts[language].emitters[emitter] : value
}

/** A sheet of the format, of values that are read as they are written. */
export function toValueSheet(language: Language, sheet: TransferSheet, rows: AsyncIterable<Values>): Sheet {
  async function* toRows(): AsyncGenerator<Cell[]> {
    yield toHeadings(language, sheet)
    for await (const row of rows) yield columns[sheet].map((column) => toCell(language, column, row[column]))
  }
  return { name: texts[language].sheets[sheet], widths: toWidths(columns[sheet]), rows: toRows() }
}

/** A sheet of failed rows as they were sent, with the reason of each. */
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

/** The empty sheets, and one that explains them. */
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
