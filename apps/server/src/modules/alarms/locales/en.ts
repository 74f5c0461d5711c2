import { alarmTextsEn } from '@isotherm/contract/locales/alarms.en'
import type { Texts } from './texts.ts'

export const en: Texts = {
  ...alarmTextsEn,
  sheet: 'Alarm log',
  headings: {
    at: 'Time',
    event: 'Event',
    account: 'By',
    detail: 'Detail',
    kind: 'Alarm',
    severity: 'Severity',
    place: 'Place',
    device: 'Device',
    alarmId: 'Alarm number',
  },
}
