import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  usersetting: { title: 'Users' },
  usersys: { title: 'Company users' },
  htusersys: { title: 'Provider users' },
})
