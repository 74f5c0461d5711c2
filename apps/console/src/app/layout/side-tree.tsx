import { guardedRoutes } from '@isotherm/contract/routes'
import { type ReactNode, useMemo } from 'react'
import { useSilenceActions, useSilencedNodes } from '../../features/alarms/silences/use-tree-silences.ts'
import { TreePanel } from '../../features/network/tree-panel.tsx'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { toMenuTarget } from '../tabs/tabs-store.ts'

/** Where a page stands in the route table, as in the menu. */
const toPosition = (path: string): number => guardedRoutes.findIndex((route) => route.path === path)

/** The tree with the pages its nodes offer, those the user may open, and with what is silenced in it. */
export function SideTree(): ReactNode {
  const permitted = useSession((session) => session.permitted)
  const nodePages = useMemo(
    () =>
      pages
        .filter((page) => page.nodeAction && isPermitted(page, permitted))
        .toSorted((a, b) => toPosition(a.path) - toPosition(b.path)),
    [permitted],
  )
  const nodeActions = useSilenceActions()
  const silenced = useSilencedNodes()
  return (
    <TreePanel
      nodePages={nodePages}
      nodeActions={nodeActions}
      silenced={silenced}
      toPageTarget={toMenuTarget}
    />
  )
}
