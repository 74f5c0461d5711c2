import type { TreeStep } from '@isotherm/contract/endpoints/network/tree'
import { createContext, useContext } from 'react'
import type { PageDefinition } from '../page.ts'

/** Links from a node on a page to the other pages about it. */
export interface NodePages {
  /** Permitted pages with an action for a node, in menu order. */
  readonly pages: readonly PageDefinition[]
  /** Selects only the last node of a chain from its project, and opens a page for it. */
  readonly open: (path: string, chain: readonly TreeStep[]) => void
}

/** Provided by the shell, which knows the tree and the tabs. */
export const NodePagesContext = createContext<NodePages>({ pages: [], open: () => {} })

export const useNodePages = (): NodePages => useContext(NodePagesContext)
