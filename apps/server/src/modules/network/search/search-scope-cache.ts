import { LRUCache } from 'lru-cache'
import { type Scope, toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { SearchScope } from './search-scope.ts'

interface CachedScope {
  readonly revision: number
  readonly searchScope: SearchScope
}

/** Limit of cached nodes of small scopes plus subtrees of large ones: about 40 MB. */
const MAX_CACHED_NODES = 100_000

function sizeOf({ searchScope }: CachedScope): number {
  if (searchScope.kind === 'everything') return 1
  const nodes = searchScope.kind === 'nodes' ? searchScope.tree.byId.size : searchScope.paths.length
  return 1 + searchScope.deviceIds.length + nodes
}

const toDisjoint = (scope: Scope): Scope =>
  scope.kind === 'all' ? scope : { kind: 'paths', paths: toDisjointPaths(scope.paths) }

/**
 * Caches the search scope of each caller's scope until the revision of the groups changes: a user who types sends
 * several searches. The key is the scope object, which stays the same object until the caller's grants change.
 */
export function createSearchScopeCache(open: (scope: Scope) => Promise<SearchScope>) {
  const cache = new LRUCache<Scope, CachedScope>({ maxSize: MAX_CACHED_NODES, sizeCalculation: sizeOf })

  return async (scope: Scope, revision: number): Promise<SearchScope> => {
    const cached = cache.get(scope)
    if (cached?.revision === revision) return cached.searchScope
    const searchScope = await open(toDisjoint(scope))
    cache.set(scope, { revision, searchScope })
    return searchScope
  }
}
