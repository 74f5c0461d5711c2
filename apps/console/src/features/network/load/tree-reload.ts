import { treeLevels } from '@isotherm/contract/tree'
import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { toCompanyChain } from './describe-node.ts'
import type { TreeLoader } from './tree-loader.ts'
import { verifyNodes } from './verify-nodes.ts'

/** Loads changed parts again and merges them by key: checks, expansion and scroll position stay. */
export interface TreeReloader {
  /** Loads the lists that contain restored nodes, so that nodes that no longer exist are removed. Opens nothing. */
  verify(keys: readonly string[]): Promise<void>
  /** Loads a node, or its parent if `parent` is true, and the open nodes below it again. */
  reload(node: NodeNumber, parent?: boolean): Promise<void>
  /**
   * The children of these nodes changed: the loaded ones are loaded again. An empty list means that any node may have
   * changed.
   */
  reloadParents(parents: readonly string[]): Promise<void>
}

/** Called around reloads. During a reload, a moved node may be missing from the tree. */
export interface ReloadPorts {
  readonly onBegin: () => void
  readonly onEnd: () => void
}

export function createTreeReloader(tree: Tree, loader: TreeLoader, ports: ReloadPorts): TreeReloader {
  const isArea = (node: NodeNumber): boolean => tree.view(node).level >= treeLevels.residentialArea
  const isLoaded = (node: NodeNumber): boolean => tree.isComplete(node) || tree.sizeOf(node) > 1

  function forgetLists(node: NodeNumber): void {
    if (tree.view(node).level < treeLevels.company) loader.companies.forgetAll()
    else if (!isArea(node)) loader.companies.forget(toCompanyChain(tree, node))
  }

  let running = 0

  /** Preserves the state of moved nodes until the last running reload ends. */
  async function preserveMoved(work: () => Promise<void>): Promise<void> {
    running += 1
    if (running === 1) ports.onBegin()
    try {
      await work()
    } finally {
      running -= 1
      if (running === 0) {
        tree.forgetDeparted()
        ports.onEnd()
      }
    }
  }

  async function reloadBelow(node: NodeNumber): Promise<void> {
    forgetLists(node)
    tree.forgetComplete(node)
    await loader.load(node, { fresh: true, partial: true })
  }

  /** The loaded nodes to fetch, without groups that are loaded with a group above them. */
  function listStarts(parents: readonly string[]): ReadonlySet<NodeNumber> {
    const starts = new Set<NodeNumber>()
    for (const key of parents) {
      const node = tree.find(key)
      if (node === undefined) {
        // It is not in the tree, but the list of its company may be cached.
        loader.companies.forgetAll()
        continue
      }
      const start = loader.findStart(node)
      if (isLoaded(start)) starts.add(start)
      else forgetLists(start)
      if (!isLoaded(start) && isArea(start)) loader.companies.forget(toCompanyChain(tree, start))
    }
    for (const start of starts) {
      const above = tree.chain(start).slice(1, -1)
      if (!isArea(start) && above.some((each) => starts.has(each))) starts.delete(start)
    }
    return starts
  }

  return {
    verify: (keys) => preserveMoved(() => verifyNodes(tree, loader, keys)),
    reload: (target, parent = false) =>
      preserveMoved(() => {
        const above = tree.view(target).parent
        return reloadBelow(loader.findStart(parent && target !== ROOT_NODE ? above : target))
      }),
    reloadParents: (parents) =>
      preserveMoved(async () => {
        if (parents.length === 0) return reloadBelow(ROOT_NODE)
        await Promise.all([...listStarts(parents)].map((start) => loader.load(start, { fresh: true })))
      }),
  }
}
