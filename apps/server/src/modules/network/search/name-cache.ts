import { LRUCache } from 'lru-cache'
import { compareNames, type KnownName } from '../names/search-match.ts'
import type { LargeSearchScope } from './search-scope.ts'

/** Names of companies in the order of compareNames; undefined if there are too many to scan in memory. */
export type CompanyNames = readonly KnownName[] | undefined

interface CachedNames {
  readonly revision: number
  readonly names: CompanyNames
}

/** A company with a million nodes has 3,000 names; scanning 10,000 names takes about 5 ms. */
const MAX_NAMES = 10_000
/** Limit of names in the cache: about 30 MB. */
const MAX_CACHED_NAMES = 100_000

/**
 * Caches the names of a search scope's companies until the revision of the groups changes. `read` returns at most
 * `limit` names in any order. A newer version of the product on another replica may have rewritten the name forms;
 * cached forms are always this version's own.
 */
export function createNameCache(
  read: (searchScope: LargeSearchScope, limit: number) => Promise<readonly KnownName[]>,
) {
  const cache = new LRUCache<string, CachedNames>({
    maxSize: MAX_CACHED_NAMES,
    sizeCalculation: ({ names }) => 1 + (names?.length ?? 0),
  })

  return async (searchScope: LargeSearchScope, revision: number): Promise<CompanyNames> => {
    const key = searchScope.kind === 'everything' ? 'all' : searchScope.companyIds.join()
    const cached = cache.get(key)
    if (cached?.revision === revision) return cached.names
    const all = await read(searchScope, MAX_NAMES + 1)
    const names = all.length > MAX_NAMES ? undefined : all.toSorted(compareNames)
    cache.set(key, { revision, names })
    return names
  }
}
