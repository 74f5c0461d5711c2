import type { AlarmTexts } from '@isotherm/contract/locales/alarm-texts'
import type { Language } from '@isotherm/contract/locales/error-text'
import { en } from './en.ts'
import { zh } from './zh.ts'

type LogColumn = 'at' | 'kind' | 'severity' | 'event' | 'account' | 'detail' | 'place' | 'device' | 'alarmId'

/** Texts of an exported log. */
export interface Texts extends AlarmTexts {
  readonly sheet: string
  /** Words of the notices that people get. */
  readonly notice: Readonly<
    Record<
      | 'raised'
      | 'cleared'
      | 'test'
      | 'testHint'
      | 'place'
      | 'device'
      | 'value'
      | 'raisedAt'
      | 'clearedAt'
      | 'number'
      | 'colon'
      | 'dayReport'
      | 'weekReport'
      | 'before'
      | 'noFigures'
      | 'newAlarms'
      | 'openAlarms',
      string
    >
  >
  readonly headings: Readonly<Record<LogColumn, string>>
}

export const texts: Readonly<Record<Language, Texts>> = { en, zh }
