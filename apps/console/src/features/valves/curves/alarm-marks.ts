import type { AlarmEvent, AlarmLogEntry } from '@isotherm/contract/alarms'

/** What begins an alarm, and what ends it. */
const BEGINS = ['raised', 'returned'] as const satisfies readonly AlarmEvent[]
const ENDS = ['cleared', 'closed', 'withdrawn'] as const satisfies readonly AlarmEvent[]
export const ALARM_EVENTS: readonly AlarmEvent[] = [...BEGINS, ...ENDS]

/** That an alarm of a valve on show began or ended. */
export interface AlarmMark {
  /** Unix ms. */
  readonly at: number
  readonly isBegin: boolean
  readonly text: string
}

/** Marks inside a half-open span, of entries of the alarm log; `toText` says what one is about. */
export const toAlarmMarks = (
  entries: readonly AlarmLogEntry[],
  span: { readonly from: number; readonly to: number },
  toText: (entry: AlarmLogEntry) => string,
): readonly AlarmMark[] =>
  entries
    .filter(({ at, event }) => at >= span.from && at < span.to && ALARM_EVENTS.includes(event))
    .map((entry) => ({
      at: entry.at,
      isBegin: BEGINS.some((event) => event === entry.event),
      text: toText(entry),
    }))
