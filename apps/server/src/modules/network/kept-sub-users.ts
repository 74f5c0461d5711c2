import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { LRUCache } from 'lru-cache'
import { covers, type Scope } from '../../platform/scope.ts'
import type { Page, SubUserQuery, SubUserRow } from './store.ts'

export type ReadSubUsers = (scope: Scope, query: SubUserQuery) => Promise<Page<SubUserRow>>

export interface KeptSubUsersNeeds {
  /** Higher once any node was changed. */
  readonly readRevision: () => Promise<number>
  readonly read: ReadSubUsers
  /** All below a place, whoever asks, without floor areas; `ids` from its project down, with commas between. */
  readonly readBelow: (ids: string, limiter: Limiter) => Promise<Page<SubUserRow>>
}

interface Kept {
  readonly revision: number
  readonly page: Page<SubUserRow>
}

/** Some 20 MB: the buildings of 400 residential areas. */
const KEPT_ADDRESSES = 200_000
/** Larger pages are no part of a tree that somebody opens. */
const LARGEST_PAGE = 20_000

const BELOW_PLACE = /^\^(?<ids>\d+(?:,\d+)*)\(,\|\$\)$/

/** Ids of the place when a filter asks for all that stands below one, as the tree does: ^1,4,12(,|$). */
function toPlaceIds(filter: readonly FilterItem[]): string | undefined {
  const [item, ...others] = filter
  if (item === undefined || others.length > 0 || item.cond !== 'regex') return undefined
  if (item.field !== 'parentids' && item.field !== 'pids') return undefined
  return BELOW_PLACE.exec(item.vrex ?? '')?.groups?.ids
}

/**
 * Buildings below places of the tree, read anew once any node was changed. They are kept for whoever is granted the
 * whole place; what others see of it is read each time. `revision` is that of the call, read at its beginning.
 */
export function createKeptSubUsers({ readRevision, read, readBelow }: KeptSubUsersNeeds) {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_ADDRESSES,
    maxEntrySize: LARGEST_PAGE,
    sizeCalculation: ({ page: { rows } }) =>
      rows.reduce((sum, { addresses, areas }) => sum + 1 + addresses.length + areas.length, 1),
  })

  return async (scope: Scope, query: SubUserQuery, revision?: number): Promise<Page<SubUserRow>> => {
    const ids = toPlaceIds(query.filter)
    if (ids === undefined || !covers(scope, `/${ids.replaceAll(',', '/')}/`)) return read(scope, query)
    // What is read after the revision is at least as new.
    const now = revision ?? (await readRevision())
    const { limiter, withAreas } = query
    const key = `${ids} ${limiter.page} ${limiter.size} ${withAreas}`
    const known = kept.get(key)
    if (known?.revision === now) return known.page
    const page = await (withAreas ? read(scope, query) : readBelow(ids, limiter))
    kept.set(key, { revision: now, page })
    return page
  }
}
