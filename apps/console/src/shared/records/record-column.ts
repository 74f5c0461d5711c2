import type { ReactNode } from 'react'

/** A column of a list of records. */
export interface RecordColumn<Row> {
  readonly key: string
  readonly title: string
  readonly widthPx: number
  readonly render: (row: Row) => ReactNode
  /** Value for sorting and for the exported file. Without it the column cannot be sorted. */
  readonly value?: (row: Row) => string | number
  /** Text in the exported file, if it is not the value. */
  readonly text?: (row: Row) => string
  readonly align?: 'end'
  /** Shown only if the user chooses it. */
  readonly isExtra?: boolean
  /** Whether the card on a phone shows it; default: true. */
  readonly isOnCard?: boolean
}

/** A column that shows, sorts and exports the same text. */
export const toTextColumn = <Row>(
  key: string,
  title: string,
  widthPx: number,
  value: (row: Row) => string,
): RecordColumn<Row> => ({ key, title, widthPx, value, render: value })

/** A column of numbers, shown with their unit; rows without one come first. */
export const toNumberColumn = <Row>(
  key: string,
  title: string,
  value: (row: Row) => number | null,
  render: (row: Row) => string,
): RecordColumn<Row> => ({ key, title, widthPx: 110, align: 'end', value: (row) => value(row) ?? -1, render })

/** Rows in the order of a column; numbers by value, texts by the rules of the language. */
export function sortRecords<Row>(
  rows: readonly Row[],
  column: RecordColumn<Row> | undefined,
  descending: boolean,
  language: string,
): readonly Row[] {
  const read = column?.value
  if (!read) return rows
  const { compare } = new Intl.Collator(language, { numeric: true })
  const order = [...rows].sort((left, right) => {
    const [a, b] = [read(left), read(right)]
    return typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
  })
  return descending ? order.reverse() : order
}
