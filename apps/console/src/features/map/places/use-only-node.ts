import { type SelectedNode, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'

/** The current tree node, if it is not the root and nothing is checked. */
export const useOnlyNode = (): SelectedNode | undefined =>
  useTreeSelection(({ current, covering, gone }) =>
    gone || covering.length > 0 || current === undefined || current.level === 0 ? undefined : current,
  )
