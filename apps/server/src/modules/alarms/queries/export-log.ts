import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import type { Language } from '@isotherm/contract/locales/error-text'
import type { Cell, Sheet } from '../../../platform/spreadsheet/workbook-writer.ts'
import { texts } from '../locales/texts.ts'

/** Widths of the columns, characters. */
const WIDTHS = [20, 24, 10, 16, 16, 24, 48, 24, 14]

/** Formats instants (Unix ms) as local time: 2026-11-21 12:00:00. */
function toClockText(timeZone: string): (at: number) => string {
  // Swedish dates have the ISO 8601 format.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at)
}

/** The log as a sheet in a language. Entries are streamed. */
export function toLogSheet(
  language: Language,
  timeZone: string,
  entries: AsyncIterable<AlarmLogEntry>,
): Sheet & { readonly rows: AsyncIterable<readonly Cell[]> } {
  const { sheet, headings, kinds, severities, events } = texts[language]
  const toText = toClockText(timeZone)
  async function* toRows(): AsyncGenerator<Cell[]> {
    const { at, kind, severity, event, account, detail, place, device, alarmId } = headings
    yield [at, kind, severity, event, account, detail, place, device, alarmId]
    for await (const entry of entries) {
      yield [
        toText(entry.at),
        kinds[entry.kind],
        severities[entry.severity],
        events[entry.event],
        entry.account || undefined,
        entry.detail || undefined,
        entry.nestaddr,
        entry.deviceName,
        entry.alarmId,
      ]
    }
  }
  return { name: sheet, widths: WIDTHS, rows: toRows() }
}
