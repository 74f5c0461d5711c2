import { guardedRoutes } from '@isotherm/contract/access/routes'
import { useMemo } from 'react'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { pages } from '../pages.ts'

/** Position of a page in the route table. */
const toPosition = (path: string): number => guardedRoutes.findIndex((route) => route.path === path)

/** Permitted pages with an action for a tree node. */
export function usePermittedNodePages(): readonly Page[] {
  const permitted = useSession((session) => session.permitted)
  return useMemo(
    () =>
      pages
        .filter((page) => page.nodeAction && isPermitted(page, permitted))
        .toSorted((a, b) => toPosition(a.path) - toPosition(b.path)),
    [permitted],
  )
}
