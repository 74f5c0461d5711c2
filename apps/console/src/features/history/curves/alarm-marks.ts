import type { AlarmEvent, AlarmLogEntry } from '@isotherm/contract/alarms/alarms'

/** The events that begin an alarm, and those that end it. */
const BEGINS = ['raised', 'returned'] as const satisfies readonly AlarmEvent[]
const ENDS = ['cleared', 'closed', 'withdrawn'] as const satisfies readonly AlarmEvent[]
export const ALARM_EVENTS: readonly AlarmEvent[] = [...BEGINS, ...ENDS]

/** The beginning or end of an alarm of a shown valve. */
export interface AlarmMark {
  /** Unix ms. */
  readonly at: number
  readonly isBegin: boolean
  readonly text: string
}

/** Marks for the entries of the alarm log inside a half-open span. `toText` describes an entry. */
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
