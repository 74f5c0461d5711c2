import type { Language } from '@isotherm/contract/locales/error-text'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Cell, Sheet } from '../../../platform/spreadsheet/workbook-writer.ts'
import type { StoredTransfer } from '../runs/stored-transfer.ts'
import { texts, toFaultText } from '../sheets/texts.ts'
import { toDecimalPoint } from './read-readings.ts'
import { type FailedRow, readFailed } from './reading-progress.pg.ts'

/** The failed rows of a file of readings in its own columns, each with its reason and row number behind them. */
export async function toFailedReadings(
  db: Database,
  { id, mapping }: StoredTransfer,
  language: Language,
): Promise<Sheet> {
  const { words } = texts[language]
  const toReason = ({ reason, params }: FailedRow) => toFaultText(language, reason, params)
  async function* toRows(): AsyncGenerator<Cell[]> {
    const headings = mapping?.headings ?? []
    yield [...headings, words.reason, words.row]
    // The workbook is imported again with commas as separators of thousands.
    const toCell = (text: string | undefined): Cell =>
      text === undefined ? undefined : toDecimalPoint(text, mapping?.delimiter ?? ',')
    for await (const failed of readFailed(db, id))
      yield [...headings.map((_, column) => toCell(failed.cells[column])), toReason(failed), failed.row]
  }
  return { name: words.readings, widths: [], rows: toRows() }
}
