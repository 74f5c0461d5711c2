import type { NodeHealth } from '@isotherm/contract/endpoints/tree'
import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { toServerKey } from '../lists/node-keys.ts'

/** Most nodes of one question, as the contract has it. */
export const MOST_ASKED = 500
/** Most answers kept for rows that come into view again. */
const MOST_KEPT = 5_000

/** What was known with what is known now; the oldest answers leave. */
export function mergeHealth(
  known: ReadonlyMap<string, NodeHealth>,
  answers: readonly NodeHealth[],
): ReadonlyMap<string, NodeHealth> {
  const merged = new Map(known)
  for (const answer of answers) {
    merged.delete(answer.node)
    merged.set(answer.node, answer)
  }
  for (const key of merged.keys()) {
    if (merged.size <= MOST_KEPT) break
    merged.delete(key)
  }
  return merged
}

/** Keys to ask for: of the nodes on show, as the server knows them, once each. */
export const toAskedKeys = (tree: Tree, nodes: readonly NodeNumber[]): readonly string[] =>
  [...new Set(nodes.map((node) => toServerKey(tree.view(node).key)))]
    .filter((key) => key !== '')
    .slice(0, MOST_ASKED)
    .sort()
