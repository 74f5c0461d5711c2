import { alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import {
  type AlarmNotice,
  type AlarmTestNotice,
  alarmNotice,
  alarmReportNotice,
  alarmTestNotice,
} from '@isotherm/contract/alarms/alarms'
import type { NoticeLanguage } from '@isotherm/contract/alarms/notice-channels'
import { metrics } from '@isotherm/contract/metrics'
import { texts } from '../locales/texts.ts'
import { toReportText } from './report-text.ts'

/** A notice for people: a title, and facts one a line. */
export interface NoticeText {
  readonly title: string
  readonly lines: readonly string[]
}

/** Time in a zone as 2026-11-27 09:30. */
function toTime(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return parts.format(ms)
}

/** The text of a stored notice, report or test. Throws if it is none of them. */
export function toNoticeText(body: string, language: NoticeLanguage, timeZone: string): NoticeText {
  const text = texts[language].notice
  const json: unknown = JSON.parse(body)
  const test = alarmTestNotice.safeParse(json)
  if (test.success) return toTestText(test.data, language, timeZone)
  const report = alarmReportNotice.safeParse(json)
  if (report.success) return toReportText(report.data, language)
  const { event, alarm }: AlarmNotice = alarmNotice.parse(json)
  const { kinds, severities } = texts[language]
  const device = [alarm.deviceName, alarm.imei].filter((part) => part !== undefined && part !== '').join(' ')
  const { source } = alarmKindDefinition(alarm.kind)
  const unit = source.from === 'metric' ? metrics[source.metric].unit : ''
  const facts: readonly (readonly [string, string | undefined])[] = [
    [text.place, alarm.nestaddr.replaceAll(',', ' / ')],
    [text.device, device === '' ? undefined : device],
    [text.value, alarm.value === undefined ? undefined : `${alarm.value}${unit ? ` ${unit}` : ''}`],
    [text.raisedAt, toTime(alarm.raisedAt, timeZone)],
    [text.clearedAt, alarm.clearedAt === undefined ? undefined : toTime(alarm.clearedAt, timeZone)],
    [text.number, String(alarm.id)],
  ]
  return {
    title: `${text[event]} ${severities[alarm.severity]} ${kinds[alarm.kind]}`,
    lines: facts.flatMap(([label, value]) => (value === undefined ? [] : [`${label}${text.colon}${value}`])),
  }
}

function toTestText(
  { at, company }: AlarmTestNotice,
  language: NoticeLanguage,
  timeZone: string,
): NoticeText {
  const text = texts[language].notice
  return { title: `${text.test} ${company}`, lines: [text.testHint, toTime(at, timeZone)] }
}
