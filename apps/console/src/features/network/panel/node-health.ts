import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { toServerKey } from '../lists/node-keys.ts'

/** Most nodes per request (contract). */
export const MOST_REQUESTED = 500
/** Most cached answers, for rows that come into view again. */
const MOST_CACHED = 5_000

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
    if (merged.size <= MOST_CACHED) break
    merged.delete(key)
  }
  return merged
}

/** Server keys of the visible nodes, each once, sorted. */
export const toServerKeys = (tree: Tree, nodes: readonly NodeNumber[]): readonly string[] =>
  [...new Set(nodes.map((node) => toServerKey(tree.view(node).key)))]
    .filter((key) => key !== '')
    .slice(0, MOST_REQUESTED)
    .sort()
