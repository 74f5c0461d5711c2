import type { AlarmKind, AlarmSeverity } from '../alarms/alarm-kinds.ts'
import type { AlarmEvent } from '../alarms/alarms.ts'

/** Words for what an alarm is, the same on the console and in what the server writes. */
export interface AlarmTexts {
  readonly severities: Readonly<Record<AlarmSeverity, string>>
  readonly events: Readonly<Record<AlarmEvent, string>>
  readonly kinds: Readonly<Record<AlarmKind, string>>
}
