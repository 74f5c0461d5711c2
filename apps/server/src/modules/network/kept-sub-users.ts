import type { FilterItem } from '@isotherm/contract/filter'
import { LRUCache } from 'lru-cache'
import { covers, type Scope } from '../../platform/scope.ts'
import type { Page, SubUserQuery, SubUserRow } from './store.ts'

export type ReadSubUsers = (scope: Scope, query: SubUserQuery) => Promise<Page<SubUserRow>>

export interface KeptSubUsersNeeds {
  /** Higher once any node was changed. */
  readonly readRevision: () => Promise<number>
  readonly read: ReadSubUsers
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

/** Path of the place when a filter asks for all that stands below one, as the tree does: ^1,4,12(,|$). */
function toPlace(filter: readonly FilterItem[]): string | undefined {
  const [item, ...others] = filter
  if (item === undefined || others.length > 0 || item.cond !== 'regex') return undefined
  if (item.field !== 'parentids' && item.field !== 'pids') return undefined
  const ids = BELOW_PLACE.exec(item.vrex ?? '')?.groups?.ids
  return ids === undefined ? undefined : `/${ids.replaceAll(',', '/')}/`
}

/**
 * Buildings below places of the tree, read anew once any node was changed. They are kept for whoever is granted the
 * whole place; what others see of it is read each time. `revision` is that of the call, read at its beginning.
 */
export function createKeptSubUsers({ readRevision, read }: KeptSubUsersNeeds) {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_ADDRESSES,
    maxEntrySize: LARGEST_PAGE,
    sizeCalculation: ({ page: { rows } }) =>
      rows.reduce((sum, { addresses, areas }) => sum + 1 + addresses.length + areas.length, 1),
  })

  return async (scope: Scope, query: SubUserQuery, revision?: number): Promise<Page<SubUserRow>> => {
    const place = toPlace(query.filter)
    if (place === undefined || !covers(scope, place)) return read(scope, query)
    // What is read after the revision is at least as new.
    const now = revision ?? (await readRevision())
    const { limiter, withAreas } = query
    const key = `${place} ${limiter.page} ${limiter.size} ${withAreas}`
    const known = kept.get(key)
    if (known?.revision === now) return known.page
    const page = await read(scope, query)
    kept.set(key, { revision: now, page })
    return page
  }
}
