import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ConsoleMenu,
  ConsoleMenuContext,
  type OwnPage,
  type PreviewEntry,
} from '../../shared/access/console-menu.ts'
import { type MenuLeaf, toMenu } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { toTitles } from '../state/use-titles.ts'

/** Provides a function that computes the menu of any user, by the same rules as that of the signed-in user. */
export function ConsoleMenuProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('common')
  const menu = useMemo((): ConsoleMenu => {
    const preview = (modules: readonly ModuleItem[]): readonly PreviewEntry[] => {
      const titles = toTitles(modules, t)
      const toTitle = (leaf: MenuLeaf) => (leaf.kind === 'page' ? titles.ofPage(leaf.page) : leaf.link.name)
      const toKey = (leaf: MenuLeaf) => (leaf.kind === 'page' ? leaf.page.path : `link ${leaf.link.id}`)
      return toMenu(pages, modules).map((entry) =>
        entry.kind === 'group'
          ? { key: entry.group, title: titles.ofGroup(entry.group), titles: entry.leaves.map(toTitle) }
          : { key: toKey(entry), title: toTitle(entry), titles: [] },
      )
    }
    const findName = (module: ModuleItem): string | undefined => {
      const titles = toTitles([module], t)
      const page = pages.find(({ permission }) => permission === module.url)
      if (page) return titles.ofPage(page)
      const group = titles.ofGroup(module.url)
      return group === module.url ? undefined : group
    }
    const listPages = (modules: readonly ModuleItem[]): readonly OwnPage[] => {
      const titles = toTitles(modules, t)
      return toMenu(pages, modules)
        .flatMap((entry) => (entry.kind === 'group' ? entry.leaves : [entry]))
        .flatMap((leaf) =>
          leaf.kind === 'page' ? [{ path: leaf.page.path, title: titles.ofPage(leaf.page) }] : [],
        )
    }
    return { findName, preview, listPages }
  }, [t])
  return <ConsoleMenuContext value={menu}>{children}</ConsoleMenuContext>
}
