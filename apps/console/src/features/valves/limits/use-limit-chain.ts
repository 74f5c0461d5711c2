import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { useMemo } from 'react'
import { useTreeSelection } from '../../../shared/nodes/tree-selection.ts'

/** A node on which limits may be set. */
export interface LimitNode {
  readonly key: NodeKey
  readonly label: string
  /** Names from the top down to the node, comma-joined. */
  readonly nestaddr: string
}

/** Limits are set on nodes from company to building. Units and households inherit them. */
const mayBeLimited = (key: NodeKey): boolean => ['group', 'sub-user'].includes(parseNodeKey(key).kind)

/** The current tree node and its ancestors that may have limits, from the top down; empty without a current node. */
export function useLimitChain(): readonly LimitNode[] {
  const { tree, current, covering } = useTreeSelection()
  const key = covering[0] ?? (current && current.level > 0 ? current.key : undefined)
  return useMemo(() => {
    const node = key === undefined ? undefined : tree.find(key)
    if (node === undefined) return []
    return tree
      .chain(node)
      .map((each) => tree.view(each))
      .map(({ key, label }, index, above) => ({
        key,
        label,
        nestaddr: above
          .slice(1, index + 1)
          .map((each) => each.label)
          .join(),
      }))
      .filter((each) => mayBeLimited(each.key))
  }, [tree, key])
}
