import type { ReactNode } from 'react'
import { useSilenceActions, useSilencedNodes } from '../../features/alarms/silences/use-tree-silences.ts'
import { TreePanel } from '../../features/network/panel/tree-panel.tsx'
import { toMenuTarget } from '../tabs/tabs-store.ts'
import { usePermittedNodePages } from './permitted-node-pages.ts'

/** The tree with the page actions of its nodes and the marks of silenced nodes. */
export function SideTree(): ReactNode {
  const nodePages = usePermittedNodePages()
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
