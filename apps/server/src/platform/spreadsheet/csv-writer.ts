import type { Cell } from './workbook-writer.ts'

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** Byte order mark at the start of a CSV file: marks it as UTF-8 for spreadsheets. */
export const CSV_START = '\ufeff'
const ROWS_PER_CHUNK = 500
/** Signs that start a formula, also in the full width of Chinese input, and the spaces that programs skip before them. */
const FORMULA_START = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

/** Text of a cell: escaped so that no program reads it as a formula, and quoted if it contains a separator. */
function toText(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Cells of one row, joined by commas. */
export const toCsvCells = (cells: readonly Cell[]): string => cells.map(toText).join(',')

export const CSV_LINE_END = '\r\n'

/** Streams a CSV file; rows are read only as fast as the consumer reads. */
export async function* toCsvFile(rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  let text = CSV_START
  let count = 0
  for await (const row of rows) {
    text += toCsvCells(row) + CSV_LINE_END
    count += 1
    if (count % ROWS_PER_CHUNK !== 0) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
