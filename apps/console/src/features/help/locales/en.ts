import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  title: 'Help',
  about: 'About',
})
