import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  caldata: { title: 'Heat statistics', nodeAction: 'Heat consumption' },
})
