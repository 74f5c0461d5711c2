import { MAX_ROWS, type TransferSheet, transferSheet } from '@isotherm/contract/transfer'
import { openWorkbook, type SheetRow, type Workbook } from '../../../platform/spreadsheet/workbook-reader.ts'
import { type StoredFile, UnreadableFileError } from '../../../platform/spreadsheet/zip-reader.ts'
import { type Cells, type Column, columns, requiredColumns } from './columns.ts'
import {
  type Fault,
  type FaultCode,
  type FaultParams,
  findColumn,
  findSheet,
  isReasonHeading,
  toFault,
} from './texts.ts'

/** One row of the workbook, not checked yet. */
export interface ReadRow {
  readonly sheet: TransferSheet
  readonly row: number
  readonly cells: Cells
}

/** A fault of the workbook itself: none of its rows can be imported. */
export class FileFault extends Error {
  readonly fault: Fault
  constructor(code: FaultCode, params: FaultParams = {}, cause?: unknown) {
    super(code, { cause })
    this.name = 'FileFault'
    this.fault = toFault(code, params)
  }
}

/** Rows of irrigation are checked one by one in one transaction: about a millisecond for each statement of five. */
const MAX_IRRIGATION_ROWS = 5_000
const longestOf: Partial<Record<TransferSheet, number>> = {
  'irrigation-sources': MAX_IRRIGATION_ROWS,
  'irrigation-groups': MAX_IRRIGATION_ROWS,
}

const isColumnOf = (sheet: TransferSheet, column: Column): boolean =>
  (columns[sheet] as readonly Column[]).includes(column)

/** Maps the columns of a sheet. Unknown headings are refused: they may be misspelled. Throws FileFault. */
function readHeadings(sheet: TransferSheet, { cells }: SheetRow): ReadonlyMap<number, Column> {
  const places = new Map<number, Column>()
  const known = new Set<Column>()
  for (const [place, heading] of cells) {
    if (isReasonHeading(heading)) continue
    const column = findColumn(heading)
    if (!column || !isColumnOf(sheet, column)) {
      throw new FileFault('file.unknown-column', { sheet, heading: heading.slice(0, 60) })
    }
    if (known.has(column)) throw new FileFault('file.double-column', { sheet, heading: heading.slice(0, 60) })
    known.add(column)
    places.set(place, column)
  }
  const missing = requiredColumns[sheet].find((column) => !known.has(column))
  if (missing) throw new FileFault('file.missing-column', { sheet, column: missing })
  return places
}

function toCells(headings: ReadonlyMap<number, Column>, { cells }: SheetRow): Cells {
  const named: Partial<Record<Column, string>> = {}
  for (const [place, text] of cells) {
    const column = headings.get(place)
    if (column) named[column] = text
  }
  return named
}

async function* readSheet(workbook: Workbook, sheet: TransferSheet, name: string): AsyncGenerator<ReadRow> {
  let headings: ReadonlyMap<number, Column> | undefined
  for await (const row of workbook.readRows(name)) {
    if (!headings) {
      headings = readHeadings(sheet, row)
      continue
    }
    const cells = toCells(headings, row)
    if (Object.keys(cells).length > 0) yield { sheet, row: row.number, cells }
  }
}

async function* readAll(file: StoredFile): AsyncGenerator<ReadRow> {
  const workbook = await openWorkbook(file)
  const named = new Map(workbook.sheets.flatMap((name) => [[findSheet(name), name] as const]))
  if (!transferSheet.options.some((sheet) => named.has(sheet))) throw new FileFault('file.no-sheet')
  let count = 0
  for (const sheet of transferSheet.options) {
    const name = named.get(sheet)
    if (name === undefined) continue
    const longest = longestOf[sheet] ?? MAX_ROWS
    let ofSheet = 0
    for await (const row of readSheet(workbook, sheet, name)) {
      count += 1
      ofSheet += 1
      if (ofSheet > longest) throw new FileFault('file.long-sheet', { sheet, limit: longest })
      if (count > MAX_ROWS) throw new FileFault('file.too-many-rows', { limit: MAX_ROWS })
      yield row
    }
  }
}

/** Reads the rows of all sheets, in the order of `transferSheet`. Throws FileFault. */
export async function* readRows(file: StoredFile): AsyncGenerator<ReadRow> {
  try {
    yield* readAll(file)
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    throw new FileFault('file.unreadable', { detail: error.message }, error)
  }
}
