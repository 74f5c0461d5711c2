import { type ReactNode, useMemo } from 'react'
import { useSilenceActions, useSilencedNodes } from '../../features/alarms/silences/use-tree-silences.ts'
import { TreePanel } from '../../features/network/tree-panel.tsx'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { toMenuTarget } from '../tabs/tabs-store.ts'

/** The tree with the pages its nodes offer, those the user may open, and with what is silenced in it. */
export function SideTree(): ReactNode {
  const permitted = useSession((session) => session.permitted)
  const nodePages = useMemo(
    () => pages.filter((page) => page.nodeAction && isPermitted(page, permitted)),
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
