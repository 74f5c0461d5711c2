import { roleCodesZh } from './role-codes.zh.ts'
import { zh as menu } from './zh.ts'

/** Texts of the pages of system administration. */
export const zh = {
  ...menu,
  roleCodes: roleCodesZh,
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    system: typeof zh
  }
}
