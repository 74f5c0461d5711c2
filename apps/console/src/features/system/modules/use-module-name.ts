import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { permissionNamesEn } from '@isotherm/contract/locales/access/permissions.en'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import { useCallback } from 'react'
import { useConsoleMenu } from '../../../shared/access/console-menu.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'

const names: Readonly<Record<'zh' | 'en', ReadonlyMap<string, string>>> = {
  zh: new Map(Object.entries(permissionNamesZh)),
  en: new Map(Object.entries(permissionNamesEn)),
}

/** Names of modules: as in the menu, else those of the specification, or as an administrator named them. */
export function useModuleName(): (module: ManagedModule) => string {
  const { findName } = useConsoleMenu()
  const language = useLanguage()
  return useCallback(
    (module) => {
      const { name, url } = module
      const isSeeded = name === names.zh.get(url)
      return findName(module) ?? (isSeeded ? (names[language].get(url) ?? name) : name)
    },
    [findName, language],
  )
}
