import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { useMemo } from 'react'
import { useTreeSelection } from '../../../shared/tree-selection.ts'

/** A node that limits may be set on. */
export interface LimitNode {
  readonly key: NodeKey
  readonly label: string
}

/** Limits are set from the company down to a building; a unit or a household goes by those above it. */
const mayBeLimited = (key: NodeKey): boolean => ['group', 'sub-user'].includes(parseNodeKey(key).kind)

/** The node in use in the tree and those above it, from the top down; empty while none is. */
export function useLimitChain(): readonly LimitNode[] {
  const { tree, current, covering } = useTreeSelection()
  const key = covering[0] ?? (current && current.level > 0 ? current.key : undefined)
  return useMemo(() => {
    const node = key === undefined ? undefined : tree.find(key)
    if (node === undefined) return []
    return tree
      .chain(node)
      .map((each) => tree.view(each))
      .filter((view) => mayBeLimited(view.key))
  }, [tree, key])
}
