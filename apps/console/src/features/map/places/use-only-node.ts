import { type SelectedNode, useTreeSelection } from '../../../shared/tree-selection.ts'

/** The node the tree has selected, if it is one alone below the root and no checks stand in its way. */
export const useOnlyNode = (): SelectedNode | undefined =>
  useTreeSelection(({ current, covering, gone }) =>
    gone || covering.length > 0 || current === undefined || current.level === 0 ? undefined : current,
  )
