import { ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { type PublishedNodes, type TreeSelection, useTreeSelection } from '../../shared/tree-selection.ts'
import { toSelected } from './describe-node.ts'
import { toServerKey } from './node-keys.ts'

/** Wait between a change of the checks and its publication, ms (specification, sections 4 and 9). */
const PUBLISH_AFTER_MS = 400

/** Every checked node but the root has a nestaddr. What was unchecked or left since is passed over. */
function toPublished(tree: Tree): PublishedNodes {
  const nodes = Int32Array.from(tree.checked()).filter((node) => node !== ROOT_NODE)
  return {
    count: nodes.length,
    *[Symbol.iterator]() {
      for (const node of nodes) if (tree.isChecked(node)) yield toSelected(tree, node)
    },
  }
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((key, index) => key === right[index])

function toPublication(tree: Tree, before: readonly string[]): Pick<TreeSelection, 'published' | 'covering'> {
  const covering = [...new Set(tree.covering().map((node) => toServerKey(tree.view(node).key)))]
  return { published: toPublished(tree), covering: isSame(covering, before) ? before : covering }
}

export interface Publisher {
  /** Publishes 0.4 s from now; asked again before that, 0.4 s from then. */
  restart(): void
  /** Publishes within 0.4 s. */
  ensure(): void
  now(): void
  stop(): void
}

/** Tells pages what is checked. */
export function createPublisher(tree: Tree): Publisher {
  let timer: ReturnType<typeof setTimeout> | undefined
  function now(): void {
    stop()
    if (useTreeSelection.getState().tree !== tree) return
    useTreeSelection.setState(({ covering }) => toPublication(tree, covering))
  }
  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }
  function restart(): void {
    stop()
    timer = setTimeout(now, PUBLISH_AFTER_MS)
  }
  return {
    now,
    stop,
    restart,
    ensure() {
      if (timer === undefined) restart()
    },
  }
}
