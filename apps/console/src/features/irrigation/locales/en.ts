import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  irrreal: { title: 'Live irrigation monitoring' },
  irrigation: { title: 'Irrigation control' },
  irrgrpsx: { title: 'Group time control' },
})
