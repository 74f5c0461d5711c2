import { NO_NODE, type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
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

/** Nodes to keep, each with all above it; a node that does not fit any more is left out. */
function createKeep(tree: Tree) {
  const kept = new Set<NodeNumber>([ROOT_NODE])
  return {
    kept,
    add(node: NodeNumber): boolean {
      const chain = tree.chain(node).filter((each) => !kept.has(each))
      if (kept.size + chain.length > MOST_KEPT) return false
      for (const each of chain) kept.add(each)
      return true
    },
  }
}

/** Checked nodes but for those that are checked with the one above them and will be again when they come. */
function listChecks(tree: Tree): readonly NodeNumber[] {
  return tree.checked().filter((node) => {
    const { parent } = tree.view(node)
    return parent === NO_NODE || !tree.isChosen(node) || !tree.isChosen(parent)
  })
}

/** What to keep of a tree. Checks are kept all or none: a part of a selection would be another selection. */
export function rememberTree(tree: Tree, current: string | undefined): TreeMemory {
  const { kept, add } = createKeep(tree)
  const checks = listChecks(tree)
  const keepsChecks = checks.length < MOST_KEPT && checks.every(add)
  if (!keepsChecks) kept.clear()
  kept.add(ROOT_NODE)
  const currentNode = current === undefined ? undefined : tree.find(current)
  if (currentNode !== undefined) add(currentNode)
  for (const key of tree.state().expanded) {
    const node = tree.find(key)
    if (node !== undefined && !add(node)) break
  }
  const toState = (node: NodeNumber): number =>
    (keepsChecks && tree.isChecked(node) ? CHECKED : 0) |
    (keepsChecks && tree.isChosen(node) ? CHOSEN : 0) |
    (tree.isExpanded(node) ? EXPANDED : 0)
  const memory: TreeMemory = {
    ...{ keys: [], labels: [], depths: [], kinds: [], levels: [], states: [] },
    rootState: toState(ROOT_NODE),
    ...(currentNode === undefined || current === undefined ? {} : { current }),
  }
  const walk = (node: NodeNumber): void => {
    for (const child of tree.children(node)) {
      if (!kept.has(child)) continue
      const { key, label, depth, kind, level } = tree.view(child)
      memory.keys.push(key)
      memory.labels.push(label)
      memory.depths.push(depth)
      memory.kinds.push(kind)
      memory.levels.push(level)
      memory.states.push(toState(child))
      walk(child)
    }
  }
  walk(ROOT_NODE)
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
