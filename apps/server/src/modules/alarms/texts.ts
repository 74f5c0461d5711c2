import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarm-kinds'
import type { AlarmEvent } from '@isotherm/contract/alarms'
import type { Language } from '@isotherm/contract/locales/error-text'
import { en } from './locales/en.ts'
import { zh } from './locales/zh.ts'

type LogColumn = 'at' | 'kind' | 'severity' | 'event' | 'account' | 'detail' | 'place' | 'device' | 'alarmId'

/** What an exported log says. */
export interface Texts {
  readonly sheet: string
  readonly headings: Readonly<Record<LogColumn, string>>
  readonly severities: Readonly<Record<AlarmSeverity, string>>
  readonly events: Readonly<Record<AlarmEvent, string>>
  readonly kinds: Readonly<Record<AlarmKind, string>>
}

export const texts: Readonly<Record<Language, Texts>> = { en, zh }
