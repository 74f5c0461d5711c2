import { type ReactNode, useMemo } from 'react'
import { useSilenceActions, useSilencedNodes } from '../../features/alarms/silences/use-tree-silences.ts'
import { useLabelActions } from '../../features/devices/labels/use-label-actions.ts'
import { TreePanel } from '../../features/network/panel/tree-panel.tsx'
import { toMenuTarget } from '../tabs/tabs-store.ts'
import { usePermittedNodePages } from './permitted-node-pages.ts'

/** The tree with the page actions of its nodes and the marks of silenced nodes. */
export function SideTree(): ReactNode {
  const nodePages = usePermittedNodePages()
  const silenceActions = useSilenceActions()
  const labelActions = useLabelActions()
  const nodeActions = useMemo(() => [...silenceActions, ...labelActions], [silenceActions, labelActions])
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
