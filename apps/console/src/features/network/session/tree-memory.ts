import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { z } from 'zod'

/** Maximum number of nodes stored for a page reload, about 100 bytes each. */
export const MAX_STORED = 4_000

const CHECKED = 1
const CHOSEN = 2
const EXPANDED = 4

/**
 * The stored tree state for a page reload: nodes that are checked by the user, expanded or current, with their ancestors, as
 * a list from top to bottom. Nodes without a state are left out.
 */
export const treeMemory = z.object({
  keys: z.array(z.string()).max(MAX_STORED),
  labels: z.array(z.string()),
  depths: z.array(z.number().int().min(1)),
  kinds: z.array(z.number().int().min(0).max(255)),
  levels: z.array(z.number().int().min(0).max(255)),
  /** Bits: 1 checked, 2 checked by the user, 4 expanded. */
  states: z.array(z.number().int().min(0).max(7)),
  rootState: z.number().int().min(0).max(7),
  current: z.string().optional(),
})
export type TreeMemory = z.infer<typeof treeMemory>

/**
 * Nodes that the user checked, without the nodes below them: those are checked again when they are loaded. Undefined if
 * there are too many to store.
 */
function listChecks(tree: Tree): readonly NodeNumber[] | undefined {
  const checks: NodeNumber[] = []
  let fits = true
  tree.walk(ROOT_NODE, (node) => {
    fits &&= checks.length < MAX_STORED
    if (!fits || !tree.isChecked(node)) return false
    const isChosen = tree.isChosen(node)
    if (isChosen || tree.sizeOf(node) === 1) checks.push(node)
    return !isChosen
  })
  return fits ? checks : undefined
}

/** Collects nodes to store, each with its ancestors, up to MAX_STORED. */
function createCollection(tree: Tree) {
  const stored = new Set<NodeNumber>([ROOT_NODE])
  return {
    stored,
    /** Adds a node; false if there is no room. */
    add(node: NodeNumber): boolean {
      const chain = tree.chain(node).filter((each) => !stored.has(each))
      if (stored.size + chain.length > MAX_STORED) return false
      for (const each of chain) stored.add(each)
      return true
    },
  }
}

/** Adds expanded nodes from the top down until there is no room. */
function addExpanded(tree: Tree, add: (node: NodeNumber) => boolean): void {
  let hasRoom = true
  tree.walk(ROOT_NODE, (node) => {
    if (hasRoom && tree.isExpanded(node) && !tree.isLeaf(node)) hasRoom = add(node)
    return hasRoom
  })
}

/**
 * The state of a tree to store. Checks are stored all or none, because a part of a selection is another selection. Walks
 * only numbers and flags, so half a million nodes take a few milliseconds.
 */
export function toTreeMemory(tree: Tree, current: string | undefined): TreeMemory {
  const checks = listChecks(tree)
  let { stored, add } = createCollection(tree)
  const storesChecks = checks?.every(add) ?? false
  if (!storesChecks) ({ stored, add } = createCollection(tree))
  const currentNode = current === undefined ? undefined : tree.find(current)
  if (currentNode !== undefined) add(currentNode)
  addExpanded(tree, add)
  const toState = (node: NodeNumber): number =>
    (storesChecks && tree.isChecked(node) ? CHECKED : 0) |
    (storesChecks && tree.isChosen(node) ? CHOSEN : 0) |
    (tree.isExpanded(node) ? EXPANDED : 0)
  const memory: TreeMemory = {
    keys: [],
    labels: [],
    depths: [],
    kinds: [],
    levels: [],
    states: [],
    rootState: toState(ROOT_NODE),
    ...(currentNode === undefined || current === undefined ? {} : { current }),
  }
  tree.walk(ROOT_NODE, (node) => {
    if (node === ROOT_NODE || !stored.has(node)) return node === ROOT_NODE
    const { key, label, depth, kind, level } = tree.view(node)
    memory.keys.push(key)
    memory.labels.push(label)
    memory.depths.push(depth)
    memory.kinds.push(kind)
    memory.levels.push(level)
    memory.states.push(toState(node))
    return true
  })
  return memory
}

/** Restores a stored state. Throws RangeError if it is not a tree. */
export function restoreTree(tree: Tree, memory: TreeMemory): void {
  const rootKey = tree.view(ROOT_NODE).key
  const listKeys = (bit: number): readonly string[] => [
    ...(memory.rootState & bit ? [rootKey] : []),
    ...memory.keys.filter((_, index) => ((memory.states[index] ?? 0) & bit) !== 0),
  ]
  tree.batch(() => {
    tree.put(ROOT_NODE, memory, false)
    tree.restore({ checked: listKeys(CHECKED), chosen: listKeys(CHOSEN), expanded: listKeys(EXPANDED) })
  })
}
