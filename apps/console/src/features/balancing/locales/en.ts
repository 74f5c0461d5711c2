import { match } from '../../../shared/i18n/match.ts'
import { campaignEn } from './campaign.en.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  ...campaignEn,
})
