import type { TreeStep } from '@isotherm/contract/endpoints/network/tree'
import { createContext, useContext } from 'react'
import type { PageDefinition } from '../page.ts'

/** The way from a node that a page shows to the other pages about it. */
export interface NodePages {
  /** Pages that offer themselves for a node and that the user may open, in the order of the menu. */
  readonly pages: readonly PageDefinition[]
  /** Makes the node at the end of a chain, which begins with its project, the only selection and opens a page for it. */
  readonly open: (path: string, chain: readonly TreeStep[]) => void
}

/** Provided by the shell, which knows the tree and the tabs. */
export const NodePagesContext = createContext<NodePages>({ pages: [], open: () => {} })

export const useNodePages = (): NodePages => useContext(NodePagesContext)
