import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  eqmonitor: { title: 'Temperature balance', nodeAction: 'Balance this' },
  sxmonitor: { title: 'Time-sequence control', nodeAction: 'Control by timetable' },
  enmonitor: { title: 'Energy control' },
  flowmonitor: { title: 'Flow balance' },
})
