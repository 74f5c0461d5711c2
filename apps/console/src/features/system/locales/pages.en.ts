import { match } from '../../../shared/i18n/match.ts'
import { apiKeysEn } from './api-keys.en.ts'
import { backupsEn } from './backups.en.ts'
import { en as menu } from './en.ts'
import { interfacesEn } from './interfaces.en.ts'
import { logEn } from './log.en.ts'
import { modulesEn } from './modules.en.ts'
import { organsEn } from './organs.en.ts'
import type { zh } from './pages.zh.ts'
import { roleCodesEn } from './role-codes.en.ts'
import { rolesEn } from './roles.en.ts'

export const en = match<typeof zh>()({
  ...menu,
  modules: modulesEn,
  organs: organsEn,
  apiKeys: apiKeysEn,
  backups: backupsEn,
  interfaces: interfacesEn,
  log: logEn,
  roleCodes: roleCodesEn,
  roles: rolesEn,
})
