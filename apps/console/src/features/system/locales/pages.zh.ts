import { apiKeysZh } from './api-keys.zh.ts'
import { backupsZh } from './backups.zh.ts'
import { interfacesZh } from './interfaces.zh.ts'
import { logZh } from './log.zh.ts'
import { modulesZh } from './modules.zh.ts'
import { organsZh } from './organs.zh.ts'
import { roleCodesZh } from './role-codes.zh.ts'
import { rolesZh } from './roles.zh.ts'
import { zh as menu } from './zh.ts'

/** Texts of the pages of system administration. */
export const zh = {
  ...menu,
  modules: modulesZh,
  organs: organsZh,
  apiKeys: apiKeysZh,
  backups: backupsZh,
  interfaces: interfacesZh,
  log: logZh,
  roleCodes: roleCodesZh,
  roles: rolesZh,
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    system: typeof zh
  }
}
