import { moduleGroups } from '@isotherm/contract/access/routes'
import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { findOwnNames } from '../guard/own-names.ts'

/** Names of pages and groups in menu, breadcrumb, tabs and palette. */
export interface Titles {
  readonly ofPage: (page: Page) => string
  /** Name of a group by its permission value. */
  readonly ofGroup: (group: string) => string
}

/** The names that administrators gave to these modules, else those of the console. */
export function toTitles(modules: readonly ModuleItem[], t: TFunction<'common'>): Titles {
  const own = findOwnNames(modules)
  return {
    ofPage: (page) => own.get(page.permission ?? '') ?? page.title(t),
    ofGroup(group) {
      const known = moduleGroups.find((each) => each === group)
      return own.get(group) ?? (known === undefined ? group : t(`menu.${known}`))
    },
  }
}

/** The names of the permitted modules, else those of the console in the user's language. */
export function useTitles(): Titles {
  const { t } = useTranslation('common')
  const modules = useSession((session) => session.modules)
  return useMemo(() => toTitles(modules ?? [], t), [modules, t])
}
