import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { toServerKey } from '../lists/node-keys.ts'

/** Maximum number of nodes per request (contract). */
export const MAX_REQUESTED = 500
/** Maximum number of cached answers, for rows that become visible again. */
const MAX_CACHED = 5_000

/** Merges new answers into the cached ones and drops the oldest. */
export function mergeHealth(
  cached: ReadonlyMap<string, NodeHealth>,
  answers: readonly NodeHealth[],
): ReadonlyMap<string, NodeHealth> {
  const merged = new Map(cached)
  for (const answer of answers) {
    merged.delete(answer.node)
    merged.set(answer.node, answer)
  }
  for (const key of merged.keys()) {
    if (merged.size <= MAX_CACHED) break
    merged.delete(key)
  }
  return merged
}

/** Server keys of the visible nodes, each once, sorted. */
export const toServerKeys = (tree: Tree, nodes: readonly NodeNumber[]): readonly string[] =>
  [...new Set(nodes.map((node) => toServerKey(tree.view(node).key)))]
    .filter((key) => key !== '')
    .slice(0, MAX_REQUESTED)
    .sort()
