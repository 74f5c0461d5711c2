import { treeLevels } from '@isotherm/contract/tree'
import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { toCompanyChain } from './describe-node.ts'
import type { TreeLoader } from './tree-loader.ts'
import { verifyNodes } from './verify-nodes.ts'

/** Loads again what may have changed, merging by key: checks, expansion and what is in view stay. */
export interface TreeReloader {
  /** Loads what recalled nodes hang on, so that those that are gone leave; nothing opens for it. */
  verify(keys: readonly string[]): Promise<void>
  /** Loads a node and everything open below it again, or its parent's when `parent` says so. */
  reload(node: NodeNumber, parent?: boolean): Promise<void>
  /**
   * The children of these nodes changed: those of them that are loaded are loaded again, no other. None given
   * means that any may have changed.
   */
  reloadParents(parents: readonly string[]): Promise<void>
}

/** What waits while nodes may be away from the tree that a list to come puts back. */
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

  /** Nodes that moved keep their state: it is forgotten when no list is to come any more that may hold them. */
  async function keepMoved(work: () => Promise<void>): Promise<void> {
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

  /** The loaded nodes to ask for, without groups that come with one above them anyway. */
  function listStarts(parents: readonly string[]): ReadonlySet<NodeNumber> {
    const starts = new Set<NodeNumber>()
    for (const key of parents) {
      const node = tree.find(key)
      if (node === undefined) {
        // It is not shown, but the list of its company may be kept for when it will be.
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
    verify: (keys) => keepMoved(() => verifyNodes(tree, loader, keys)),
    reload: (asked, parent = false) =>
      keepMoved(() => {
        const above = tree.view(asked).parent
        return reloadBelow(loader.findStart(parent && asked !== ROOT_NODE ? above : asked))
      }),
    reloadParents: (parents) =>
      keepMoved(async () => {
        if (parents.length === 0) return reloadBelow(ROOT_NODE)
        await Promise.all([...listStarts(parents)].map((start) => loader.load(start, { fresh: true })))
      }),
  }
}
