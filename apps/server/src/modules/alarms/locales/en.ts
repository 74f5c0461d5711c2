import { alarmTextsEn } from '@isotherm/contract/locales/alarms.en'
import type { Texts } from './texts.ts'

export const en: Texts = {
  ...alarmTextsEn,
  sheet: 'Alarm log',
  notice: {
    raised: '[Alarm]',
    cleared: '[Cleared]',
    test: '[Test]',
    testHint: 'This is a test message; nothing to do',
    place: 'Place',
    device: 'Device',
    value: 'Value',
    raisedAt: 'Raised',
    clearedAt: 'Cleared',
    number: 'Alarm number',
    colon: ': ',
    dayReport: '[Daily report]',
    weekReport: '[Weekly report]',
    before: 'before',
    noFigures: 'No figures of these days',
    newAlarms: 'New alarms',
    openAlarms: 'Alarms not ended',
  },
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
