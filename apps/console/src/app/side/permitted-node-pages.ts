import { guardedRoutes } from '@isotherm/contract/access/routes'
import { useMemo } from 'react'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { pages } from '../pages.ts'

/** Where a page stands in the route table, as in the menu. */
const toPosition = (path: string): number => guardedRoutes.findIndex((route) => route.path === path)

/** The pages that offer themselves for a node of the tree, those the user may open. */
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
