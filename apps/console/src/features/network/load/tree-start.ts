import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import type { TreeLoader } from './tree-loader.ts'

/** Whether a first load came to its end. One cut short is not to be kept: what is missing would be taken for closed. */
export type StartEnd = 'whole' | 'short'

/** Loads the projects, and opens nodes from the top as long as there is only one to choose from. */
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

/** The first load of a tree, and from when on the tree is kept over a reload of the page. */
export interface TreeStart {
  /** Does the first load; asked again while it goes on, it waits for the same. */
  start(load: () => Promise<StartEnd>): Promise<void>
  /** The user did something to the tree himself. Also after a start that failed it is kept from then on. */
  touch(): void
}

export interface StartPorts {
  /** From here on the tree is kept. */
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
      // A start that goes on may yet be cut short.
      if (starting === undefined) settle()
    },
  }
}
