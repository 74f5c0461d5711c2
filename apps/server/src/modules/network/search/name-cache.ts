import { LRUCache } from 'lru-cache'
import { compareNames, type KnownName } from '../names/search-match.ts'
import type { LargeField } from './search-scope.ts'
import type { TreeSearchStore } from './search-store.ts'

/** Names of companies, as compareNames has them; undefined when they are too many to go through here. */
export type NamesOfCompanies = readonly KnownName[] | undefined

interface Kept {
  readonly revision: number
  readonly names: NamesOfCompanies
}

/** A company of a million nodes has 3,000 names; to go through 10,000 takes some 5 ms. */
const MOST_NAMES = 10_000
/** Some 30 MB. */
const KEPT_NAMES = 100_000

/**
 * The names of the companies of a field, read anew once any node was changed. Forms of a later version of the product
 * may stand beside them already: then those that were kept are this version's own.
 */
export function createKeptNames({ readNames }: Pick<TreeSearchStore, 'readNames'>) {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_NAMES,
    sizeCalculation: ({ names }) => 1 + (names?.length ?? 0),
  })

  return async (field: LargeField, revision: number): Promise<NamesOfCompanies> => {
    const key = field.kind === 'everything' ? 'all' : field.companyIds.join()
    const known = kept.get(key)
    if (known?.revision === revision) return known.names
    const read = await readNames(field, MOST_NAMES + 1)
    const names = read.length > MOST_NAMES ? undefined : read.toSorted(compareNames)
    kept.set(key, { revision, names })
    return names
  }
}
