import { alarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmReportNotice } from '@isotherm/contract/alarms/alarms'
import type { NoticeLanguage } from '@isotherm/contract/alarms/notice-channels'
import {
  type FigureName,
  listFigures,
  type ReportName,
  reportNames,
} from '@isotherm/contract/statistics/reports'
import { reportTexts } from '../../statistics/index.ts'
import { texts } from '../locales/texts.ts'
import type { NoticeText } from './notice-text.ts'

/** Figures that a message shows, at most two of a report: a telephone shows few lines. */
const shown: Readonly<Record<ReportName, readonly FigureName[]>> = {
  balance: ['sigmaReturnK', 'withinOneK'],
  comfort: ['coldShare', 'coldRooms'],
  heat: ['whPerM2Kd', 'heatKwh'],
  pumps: ['pumpKwh'],
  availability: ['reportedShare', 'silentDevices'],
  moves: ['strokesPerMonth'],
}

/** The text of a report: a line for each figure with the days before, then the alarms. */
export function toReportText(notice: AlarmReportNotice, language: NoticeLanguage): NoticeText {
  const { notice: text, severities } = texts[language]
  const { figures: names } = reportTexts[language]
  const lines = reportNames.flatMap((report) => {
    const found = notice.reports.find((each) => each.report === report)
    return listFigures(report).flatMap(([name, { unit, decimals }]) => {
      const value = found?.figures[name]
      if (value === undefined || !shown[report].includes(name)) return []
      const toShown = (number: number): string => (unit === 'share' ? number * 100 : number).toFixed(decimals)
      const before = found?.before[name]
      const compared = before === undefined ? '' : ` (${text.before} ${toShown(before)})`
      return [`${names[name]}${text.colon}${toShown(value)}${compared}`]
    })
  })
  const raised = alarmSeverity.options.flatMap((severity) => {
    const count = notice.alarms.raised[severity]
    return count === undefined ? [] : [`${severities[severity]} ${count}`]
  })
  const place = notice.nestaddr.split(',').at(-1) ?? ''
  const days = notice.from === notice.to ? notice.from : `${notice.from} – ${notice.to}`
  return {
    title: `${text[notice.every === 'day' ? 'dayReport' : 'weekReport']} ${place} ${days}`,
    lines: [
      ...(lines.length === 0 ? [text.noFigures] : lines),
      `${text.newAlarms}${text.colon}${raised.length === 0 ? 0 : raised.join(', ')}`,
      `${text.openAlarms}${text.colon}${notice.alarms.open}`,
    ],
  }
}
