import type { SheetRow } from '../../../platform/spreadsheet/workbook-reader.ts'
import { countCharacters, MAX_HELD_CHARACTERS } from './read-table.ts'

/** Rows from which the names of metrics are collected. */
const MAX_ROWS = 2_000

/** The headings of a file and its first rows as texts, all of one width. */
export interface FirstRows {
  readonly headings: string[]
  readonly rows: string[][]
}

/** Reads the first rows of a file, fewer if they are long. */
export async function readFirstRows(given: AsyncIterable<SheetRow>, headingRow: number): Promise<FirstRows> {
  const rows: SheetRow[] = []
  let characters = 0
  let width = 1
  for await (const row of given) {
    if (row.number < headingRow) continue
    rows.push(row)
    for (const column of row.cells.keys()) width = Math.max(width, column + 1)
    characters += countCharacters(row)
    // The headings are a row too.
    if (rows.length > MAX_ROWS || characters >= MAX_HELD_CHARACTERS) break
  }
  const [headings = [], ...texts] = rows.map(({ cells }) =>
    Array.from({ length: width }, (_, column) => cells.get(column) ?? ''),
  )
  return { headings, rows: texts }
}
