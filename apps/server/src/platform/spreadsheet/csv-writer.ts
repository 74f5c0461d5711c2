import type { Cell } from './workbook-writer.ts'

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** How a csv file begins: by this sign a spreadsheet knows that it is UTF-8. */
export const CSV_START = '\ufeff'
const ROWS_PER_PIECE = 500

/** A cell that no program takes for a formula, in quotes where a separator stands in it. */
function toText(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Cells as they stand beside each other. */
export const toCsvCells = (cells: readonly Cell[]): string => cells.map(toText).join(',')

export const CSV_LINE_END = '\r\n'

/** A csv file as fast as it is taken. */
export async function* toCsvFile(rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  let text = CSV_START
  let count = 0
  for await (const row of rows) {
    text += toCsvCells(row) + CSV_LINE_END
    count += 1
    if (count % ROWS_PER_PIECE !== 0) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
