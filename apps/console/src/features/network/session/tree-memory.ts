import { type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { z } from 'zod'

/** Most nodes kept over a reload of the page, and with them about as many hundred bytes. */
export const MOST_KEPT = 4_000

const CHECKED = 1
const CHOSEN = 2
const EXPANDED = 4

/**
 * What a reload of the page brings back: the nodes that are checked for their own sake, expanded or current,
 * with all above them, as a list from top to bottom. Nodes without any state are not in it.
 */
export const treeMemory = z.object({
  keys: z.array(z.string()).max(MOST_KEPT),
  labels: z.array(z.string()),
  depths: z.array(z.number().int().min(1)),
  kinds: z.array(z.number().int().min(0).max(255)),
  levels: z.array(z.number().int().min(0).max(255)),
  /** Bits: 1 checked, 2 for its own sake, 4 expanded. */
  states: z.array(z.number().int().min(0).max(7)),
  rootState: z.number().int().min(0).max(7),
  current: z.string().optional(),
})
export type TreeMemory = z.infer<typeof treeMemory>

/**
 * Nodes that are checked for their own sake, without those below one of them, which are checked again when they
 * come; absent when there are more than can be kept.
 */
function listChecks(tree: Tree): readonly NodeNumber[] | undefined {
  const checks: NodeNumber[] = []
  let fits = true
  tree.walk(ROOT_NODE, (node) => {
    fits &&= checks.length < MOST_KEPT
    if (!fits || !tree.isChecked(node)) return false
    const isChosen = tree.isChosen(node)
    if (isChosen || tree.sizeOf(node) === 1) checks.push(node)
    return !isChosen
  })
  return fits ? checks : undefined
}

/** Nodes to keep, each with all above it, up to so many. */
function createKeep(tree: Tree) {
  const kept = new Set<NodeNumber>([ROOT_NODE])
  return {
    kept,
    /** Whether there was room for the node. */
    add(node: NodeNumber): boolean {
      const chain = tree.chain(node).filter((each) => !kept.has(each))
      if (kept.size + chain.length > MOST_KEPT) return false
      for (const each of chain) kept.add(each)
      return true
    },
  }
}

/** Keeps expanded nodes from the top down until there is no room left. */
function keepExpanded(tree: Tree, add: (node: NodeNumber) => boolean): void {
  let hasRoom = true
  tree.walk(ROOT_NODE, (node) => {
    if (hasRoom && tree.isExpanded(node) && !tree.isLeaf(node)) hasRoom = add(node)
    return hasRoom
  })
}

/**
 * What to keep of a tree. Checks are kept all or none: a part of a selection would be another selection. Walks
 * numbers and flags, and no further than what fits: half a million nodes take a few milliseconds.
 */
export function rememberTree(tree: Tree, current: string | undefined): TreeMemory {
  const checks = listChecks(tree)
  let { kept, add } = createKeep(tree)
  const keepsChecks = checks?.every(add) ?? false
  if (!keepsChecks) ({ kept, add } = createKeep(tree))
  const currentNode = current === undefined ? undefined : tree.find(current)
  if (currentNode !== undefined) add(currentNode)
  keepExpanded(tree, add)
  const toState = (node: NodeNumber): number =>
    (keepsChecks && tree.isChecked(node) ? CHECKED : 0) |
    (keepsChecks && tree.isChosen(node) ? CHOSEN : 0) |
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
    if (node === ROOT_NODE || !kept.has(node)) return node === ROOT_NODE
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

/** Puts back what was kept. Throws RangeError when it is not a tree. */
export function recallTree(tree: Tree, memory: TreeMemory): void {
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
