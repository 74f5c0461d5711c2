import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { selectFound } from '../../features/network/session/reveal.ts'
import { type NodePages, NodePagesContext } from '../../shared/nodes/node-pages.ts'
import { toMenuTarget } from '../tabs/tabs-store.ts'
import { usePermittedNodePages } from './permitted-node-pages.ts'

/** Provides links from a node to other pages about it, like the menu of the tree. */
export function NodePagesProvider({ children }: { readonly children: ReactNode }) {
  const pages = usePermittedNodePages()
  const navigate = useNavigate()
  const nodePages = useMemo(
    (): NodePages => ({
      pages,
      open(path, chain) {
        selectFound(chain)
        void navigate(toMenuTarget(path))
      },
    }),
    [pages, navigate],
  )
  return <NodePagesContext value={nodePages}>{children}</NodePagesContext>
}
