import { ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import type { TreeLoader } from '../load/tree-loader.ts'
import type { TreeReloader } from '../load/tree-reload.ts'
import { openFirst, type StartEnd } from '../load/tree-start.ts'
import { useNetwork } from './network-store.ts'
import type { Publisher } from './publisher.ts'

interface FirstLoad {
  readonly tree: Tree
  readonly loader: TreeLoader
  readonly reloader: TreeReloader
  readonly publisher: Publisher
}

/** Loads the restored open nodes and the lists of checked and current nodes, so that removed nodes do not stay selected. */
async function loadRestored({ tree, loader, reloader, publisher }: FirstLoad): Promise<StartEnd> {
  publisher.hold()
  try {
    await loader.load(ROOT_NODE, { keepClosed: true, partial: true })
    const { currentKey } = useNetwork.getState()
    const keys = tree.covering().map((node) => tree.view(node).key)
    await reloader.verify(currentKey === undefined ? keys : [...keys, currentKey])
  } finally {
    publisher.release()
  }
  return 'whole'
}

/** Loads a restored tree, or opens a new one from the top. */
export const loadFirst = (parts: FirstLoad): Promise<StartEnd> =>
  parts.tree.count() > 1 ? loadRestored(parts) : openFirst(parts.tree, parts.loader)
