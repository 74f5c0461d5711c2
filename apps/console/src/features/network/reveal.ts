import type { TreeHit } from '@isotherm/contract/endpoints/tree'
import { useTreeSelection } from '../../shared/tree-selection.ts'

/** Makes a node that the search of the server found the current one. */
export const revealNode = async (hit: TreeHit): Promise<void> => {
  const step = hit.chain.at(-1)
  if (!step) return
  useTreeSelection.setState({
    current: { key: step.node, label: step.label, level: step.level, nestaddr: hit.nestaddr },
  })
}
