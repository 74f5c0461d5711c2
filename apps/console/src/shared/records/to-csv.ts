import type { RecordColumn } from './record-column.ts'

/** Texts that a spreadsheet would calculate. */
const FORMULA = /^[=+\-@\t\r]/
/** A number with its sign is not a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/

function toCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Records as CSV with a byte order mark, so that spreadsheets read it as UTF-8. Texts never become formulas. */
export function toCsv<Row>(columns: readonly RecordColumn<Row>[], rows: readonly Row[]): string {
  const written = columns.filter(({ value, text }) => value ?? text)
  const head = written.map(({ title }) => toCell(title)).join(',')
  const lines = rows.map((row) =>
    written.map(({ value, text }) => toCell(text ? text(row) : String(value?.(row) ?? ''))).join(','),
  )
  return `\uFEFF${[head, ...lines].join('\r\n')}\r\n`
}
