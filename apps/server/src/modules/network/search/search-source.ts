import type { Scope } from '../../../platform/scope/scope.ts'
import { readRevisions } from '../../../platform/signals/revisions.pg.ts'
import type { SearchText } from '../names/search-text.ts'
import type { FoundNode, StepRow } from './found-node.ts'
import { createNameCache } from './name-cache.ts'
import type { KnownPart } from './search-levels.ts'
import {
  countNames,
  findByName,
  findByParts,
  listSteps,
  readNames,
  type SearchDatabase,
} from './search-queries.pg.ts'
import { openSearchScope } from './search-scope.pg.ts'
import type { Findings, SearchScope } from './search-scope.ts'
import { createSearchScopeCache } from './search-scope-cache.ts'
import { countContaining, findInTree, findPartsInTree } from './small-tree.ts'

/** Finds the nodes of a search scope, in memory or in the database (search-queries.pg.ts explains each function). */
export interface SearchSource {
  readonly searchScope: SearchScope
  findByName(text: SearchText, limit: number): Promise<Findings<FoundNode>>
  countNames(texts: readonly string[]): ReturnType<typeof countNames>
  findByParts(parts: readonly KnownPart[], limit: number): Promise<Findings<FoundNode>>
  listSteps(ids: readonly number[]): Promise<readonly StepRow[]>
}

function toMemorySource(
  searchScope: Extract<SearchScope, { kind: 'nodes' }>,
  { db }: SearchDatabase,
): SearchSource {
  const { tree } = searchScope
  return {
    searchScope,
    findByName: async (text, limit) => ({ found: findInTree(tree, text, limit), isIncomplete: false }),
    countNames: async (texts) => countContaining(tree, texts),
    findByParts: async (parts, limit) => ({
      found: findPartsInTree(tree, parts, limit),
      isIncomplete: false,
    }),
    async listSteps(ids) {
      // Devices granted individually may be on nodes outside the scope.
      const known = ids.flatMap((id) => tree.byId.get(id)?.node ?? [])
      return known.length === ids.length ? known : listSteps(db, ids)
    },
  }
}

/**
 * Returns a function that gives the search source of a scope. `revision` is the revision of the groups at the start
 * of the call (read if missing); scopes and names cached under it are not read again.
 */
export function createSearchSources(database: SearchDatabase) {
  const { db } = database
  const findScope = createSearchScopeCache((scope) => openSearchScope(db, scope))
  const findNames = createNameCache((searchScope, limit) => readNames(db, searchScope, limit))

  return async (scope: Scope, revision?: number): Promise<SearchSource> => {
    // Everything read after the revision is at least as new as the revision.
    const now = revision ?? (await readRevisions(db)).groups
    const searchScope = await findScope(scope, now)
    if (searchScope.kind === 'nodes') return toMemorySource(searchScope, database)
    const names = await findNames(searchScope, now)
    return {
      searchScope,
      findByName: (text, limit) => findByName(database, searchScope, text, limit, names),
      countNames: async (texts) =>
        names ? countContaining({ names }, texts) : countNames(database, searchScope, texts),
      findByParts: (parts, limit) => findByParts(database, searchScope, parts, limit, names),
      listSteps: (ids) => listSteps(db, ids),
    }
  }
}
