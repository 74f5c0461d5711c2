import { LRUCache } from 'lru-cache'
import { type Scope, toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { SearchField } from './search-scope.ts'
import type { TreeSearchStore } from './search-store.ts'

interface Kept {
  readonly revision: number
  readonly field: SearchField
}

/** Nodes of small scopes, and subtrees of large ones, that are kept: some 40 MB. */
const KEPT_NODES = 100_000

function sizeOf({ field }: Kept): number {
  if (field.kind === 'everything') return 1
  return 1 + field.deviceIds.length + (field.kind === 'nodes' ? field.tree.byId.size : field.paths.length)
}

const toDisjoint = (scope: Scope): Scope =>
  scope.kind === 'all' ? scope : { kind: 'paths', paths: toDisjointPaths(scope.paths) }

/**
 * Where the searches of a scope look, found anew once any node was changed: who types asks several times. A caller's
 * scope is the same object as long as nothing changes it.
 */
export function createKeptFields({ openField }: Pick<TreeSearchStore, 'openField'>) {
  const kept = new LRUCache<Scope, Kept>({ maxSize: KEPT_NODES, sizeCalculation: sizeOf })

  return async (scope: Scope, revision: number): Promise<SearchField> => {
    const known = kept.get(scope)
    if (known?.revision === revision) return known.field
    const field = await openField(toDisjoint(scope))
    kept.set(scope, { revision, field })
    return field
  }
}
