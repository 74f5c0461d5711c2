import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import type { TreeLoader } from './tree-loader.ts'

/** Whether a first load was complete. An incomplete one must not be stored, because missing nodes would be restored as closed. */
export type StartEnd = 'whole' | 'short'

/** Loads the projects and opens nodes from the top while a level has only one node. */
export async function openFirst(tree: Tree, loader: Pick<TreeLoader, 'load' | 'open'>): Promise<StartEnd> {
  await loader.load(ROOT_NODE)
  for (let node: NodeNumber | undefined = ROOT_NODE; node !== undefined; ) {
    await loader.open(node)
    if (!tree.isComplete(node)) return 'short'
    const children: readonly NodeNumber[] = tree.children(node)
    node = children.length === 1 ? children[0] : undefined
  }
  return 'whole'
}

/** The first load of a tree. It decides when the tree state may be stored for a page reload. */
export interface TreeStart {
  /** Runs the first load. A second call during the load waits for the same load. */
  start(load: () => Promise<StartEnd>): Promise<void>
  /** The user changed the tree: from now on its state is stored, also after a failed start. */
  touch(): void
}

export interface StartPorts {
  /** The state of the tree may be stored from now on. */
  readonly settle: () => void
  readonly onDone: () => void
  readonly onFail: (error: unknown) => void
}

export function createTreeStart({ settle, onDone, onFail }: StartPorts): TreeStart {
  let starting: Promise<void> | undefined
  return {
    start(load) {
      starting ??= load()
        .then((end) => {
          if (end === 'whole') settle()
          onDone()
        })
        .catch(onFail)
        .finally(() => {
          starting = undefined
        })
      return starting
    },
    touch() {
      // A running start may still be incomplete.
      if (starting === undefined) settle()
    },
  }
}
