import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  fmhistory: { title: 'Valve history', nodeAction: 'History' },
  rthistory: { title: 'Room temperature history', nodeAction: 'Room history' },
})
