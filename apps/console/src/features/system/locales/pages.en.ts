import { match } from '../../../shared/i18n/match.ts'
import { en as menu } from './en.ts'
import type { zh } from './pages.zh.ts'
import { roleCodesEn } from './role-codes.en.ts'

export const en = match<typeof zh>()({
  ...menu,
  roleCodes: roleCodesEn,
})
