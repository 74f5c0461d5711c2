import { SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { permissionNamesEn } from '@isotherm/contract/locales/access/permissions.en'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import type { Language } from '../../../shared/i18n/language.ts'

const permissionNames: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  zh: new Map(Object.entries({ ...permissionNamesZh, [SEND_READINGS]: '发送读数' })),
  en: new Map(Object.entries({ ...permissionNamesEn, [SEND_READINGS]: 'Send readings' })),
}

/** Name of a permission; the value itself if it has no name. */
export const toPermissionName = (permission: string, language: Language): string =>
  permissionNames[language].get(permission) ?? permission

/** Name and value of a permission, for example: Role management (ps-rolesys). */
export const toPermissionText = (permission: string, language: Language): string => {
  const name = permissionNames[language].get(permission)
  return name === undefined ? permission : `${name} (${permission})`
}
