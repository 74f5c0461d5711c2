import type { Scope } from '../../../platform/scope/scope.ts'
import type { SearchText } from '../names/search-text.ts'
import { createKeptNames } from './name-cache.ts'
import type { Findings, SearchField } from './search-scope.ts'
import { createKeptFields } from './search-scope-cache.ts'
import type { FoundNode, KnownPart, StepRow, TreeSearchStore } from './search-store.ts'
import { countContaining, findByParts, findNamed } from './small-tree.ts'

type Counts = ReadonlyMap<string, ReadonlyMap<number, number>>

/** Where a search looks, in memory or in the database (TreeSearchStore says what each finds). */
export interface SearchPlace {
  readonly field: SearchField
  findByName(text: SearchText, limit: number): Promise<Findings<FoundNode>>
  countNames(texts: readonly string[]): Promise<Counts | undefined>
  findByParts(parts: readonly KnownPart[], limit: number): Promise<Findings<FoundNode>>
  listSteps(ids: readonly number[]): Promise<readonly StepRow[]>
}

function toSmallPlace(field: Extract<SearchField, { kind: 'nodes' }>, store: TreeSearchStore): SearchPlace {
  const { tree } = field
  return {
    field,
    findByName: async (text, limit) => ({ found: findNamed(tree, text, limit), isCut: false }),
    countNames: async (texts) => countContaining(tree, texts),
    findByParts: async (parts, limit) => ({ found: findByParts(tree, parts, limit), isCut: false }),
    async listSteps(ids) {
      // Devices that are granted by themselves stand elsewhere.
      const known = ids.flatMap((id) => tree.byId.get(id)?.node ?? [])
      return known.length === ids.length ? known : store.listSteps(ids)
    },
  }
}

/**
 * Finds where a scope's searches look. `revision` is that of the call, read at its beginning; what is kept under it
 * need not be read again.
 */
export function createSearchPlaces(store: TreeSearchStore) {
  const findField = createKeptFields(store)
  const findNames = createKeptNames(store)

  return async (scope: Scope, revision?: number): Promise<SearchPlace> => {
    // What is read after the revision is at least as new.
    const now = revision ?? (await store.readRevision())
    const field = await findField(scope, now)
    if (field.kind === 'nodes') return toSmallPlace(field, store)
    const names = await findNames(field, now)
    return {
      field,
      findByName: (text, limit) => store.findByName(field, text, limit, names),
      countNames: async (texts) =>
        names ? countContaining({ names }, texts) : store.countNames(field, texts),
      findByParts: (parts, limit) => store.findByParts(field, parts, limit, names),
      listSteps: store.listSteps,
    }
  }
}
