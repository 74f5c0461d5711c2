import { ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import {
  type PublishedNodes,
  type TreeSelection,
  useTreeSelection,
} from '../../../shared/nodes/tree-selection.ts'
import { toServerKey } from '../lists/node-keys.ts'
import { toSelected } from '../load/describe-node.ts'

/** Wait between a change of the checks and its publication, ms (specification, sections 4 and 9). */
const PUBLISH_AFTER_MS = 400

/** The checked nodes except the root, which has no nestaddr. Nodes that were unchecked or removed since are skipped. */
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

/** What the user's last change left checked: `some` nodes, or `none`. */
type UserChange = 'some' | 'none' | undefined

/** The state to publish. If the last checked node was removed, not unchecked by the user, the selection is gone. */
function toPublication(
  tree: Tree,
  before: Pick<TreeSelection, 'covering' | 'gone'>,
  change: UserChange,
): Pick<TreeSelection, 'published' | 'covering' | 'gone'> {
  const covering = [...new Set(tree.covering().map((node) => toServerKey(tree.view(node).key)))]
  return {
    published: toPublished(tree),
    covering: isSame(covering, before.covering) ? before.covering : covering,
    gone:
      covering.length === 0 &&
      change !== 'none' &&
      (change === 'some' || before.gone || before.covering.length > 0),
  }
}

export interface Publisher {
  /** The user changed a check: publishes after 0.4 s, counted from the last change. */
  restart(): void
  /** The tree changed: publishes within 0.4 s. */
  ensure(): void
  /** Publishes a change by the user at once. */
  now(): void
  /** Publishes nothing until `release`: during a reload, nodes may be missing from the tree for a moment. */
  hold(): void
  release(): void
  stop(): void
}

/** Publishes the checked nodes to the pages. */
export function createPublisher(tree: Tree): Publisher {
  let timer: ReturnType<typeof setTimeout> | undefined
  let held = 0
  let isDue = false
  /** Not published yet. */
  let change: UserChange

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    isDue = false
  }
  function publish(): void {
    stop()
    if (useTreeSelection.getState().tree !== tree) return
    useTreeSelection.setState((before) => toPublication(tree, before, change))
    change = undefined
  }
  function noteChange(): void {
    change = tree.covering().length > 0 ? 'some' : 'none'
  }
  function publishUnlessHeld(): void {
    timer = undefined
    if (held > 0) isDue = true
    else publish()
  }
  function start(): void {
    stop()
    timer = setTimeout(publishUnlessHeld, PUBLISH_AFTER_MS)
  }
  return {
    stop,
    restart() {
      noteChange()
      start()
    },
    ensure() {
      if (timer === undefined && !isDue) start()
    },
    now() {
      noteChange()
      publish()
    },
    hold() {
      held += 1
    },
    release() {
      held -= 1
      if (held === 0 && isDue) publish()
    },
  }
}
