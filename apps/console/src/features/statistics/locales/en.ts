import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

/** Texts of the statistics that the menu needs. */
export const en = match<typeof zh>()({
  statsys: { title: 'Statistics', nodeAction: 'Statistics' },
})
