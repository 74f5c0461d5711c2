import { HistoryOutlined } from '@ant-design/icons'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { useTitles } from '../state/use-titles.ts'
import { type Entry, findActions, findPages, type Section, toHitEntry, toPageEntry } from './entries.ts'
import { readRecent } from './recent.ts'
import { useActions } from './use-actions.ts'
import { type TreeSearch, useTreeSearch } from './use-tree-search.ts'

/** Recently used items that are still permitted, without the current page. */
function useRecent(): readonly Entry[] {
  const { t } = useTranslation('common')
  const titles = useTitles()
  const { user, permitted } = useSession()
  const { pathname } = useLocation()
  return useMemo(() => {
    const items = user ? readRecent(localStorage, user.id) : []
    return items.flatMap((item) => {
      if (item.kind === 'node') return [{ ...toHitEntry(item.hit, '', t), icon: HistoryOutlined }]
      const page = pages.find((each) => each.path === item.path)
      if (!page || page.path === pathname || !isPermitted(page, permitted)) return []
      return [{ ...toPageEntry(page, titles), icon: HistoryOutlined }]
    })
  }, [user, permitted, pathname, titles, t])
}

export interface Sections {
  readonly sections: readonly Section[]
  readonly search: TreeSearch
}

/** Sections of the palette for the input, without empty ones. */
export function useSections(typed: string): Sections {
  const { t } = useTranslation('common')
  const titles = useTitles()
  const permitted = useSession((session) => session.permitted)
  const actions = useActions()
  const recent = useRecent()
  const search = useTreeSearch(typed)
  const nothingTyped = typed.trim() === ''
  const allowed = pages.filter((page) => isPermitted(page, permitted))
  const recentIds = new Set(nothingTyped ? recent.map((entry) => entry.id) : [])
  const all: readonly Section[] = [
    { id: 'recent', entries: nothingTyped ? recent : [] },
    { id: 'pages', entries: findPages(allowed, typed, titles).filter((entry) => !recentIds.has(entry.id)) },
    { id: 'nodes', entries: search.hits.map((hit) => toHitEntry(hit, typed, t)) },
    { id: 'actions', entries: findActions(actions, typed) },
  ]
  return { sections: all.filter(({ entries }) => entries.length > 0), search }
}
