import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  devdebug: { title: 'Device debugging' },
  caldevmanager: { title: 'Heat meters' },
  rtcaldevmanager: { title: 'Room sensors' },
  datadevmanager: { title: 'Concentrators' },
  fmdevmanager: { title: 'Valves' },
})
