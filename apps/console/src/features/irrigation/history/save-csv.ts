import { DAY_MS } from '@isotherm/kernel/durations'
import { toCsv } from '../../../shared/records/to-csv.ts'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { toSpan } from '../queries.ts'

export interface CsvColumn<Row> {
  readonly key: string
  readonly title: string
  readonly text: (row: Row) => string
}

/** A number for a spreadsheet: no separators of thousands, the point of decimals. Empty if there is none. */
export const toPlain = (value: number | undefined, decimals: number): string =>
  value === undefined ? '' : value.toFixed(decimals)

const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Saves rows of the last days of a place; the name of the file has the first and the last day. */
export function saveCsv<Row>(
  name: string,
  { days, timeZone }: { readonly days: number; readonly timeZone: string },
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
): void {
  const { first, last } = toSpan(days, timeZone)
  const given = columns.map((column) => ({ ...column, widthPx: 0, render: column.text }))
  const content = new Blob([toCsv(given, rows)], { type: 'text/csv' })
  saveFile({ name: `${name}-${toDate(first)}-${toDate(last)}.csv`, content })
}
