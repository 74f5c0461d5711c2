import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { covers, type Scope } from '../../../platform/scope/scope.ts'
import type { Page } from '../nodes/page.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import { createAnswerCache } from './answer-cache.ts'
import { type SubUserAnswer, toSubUserAnswer } from './sub-user-answer.ts'
import type { SubUserQuery, SubUserRow } from './sub-users.pg.ts'

export interface SubUserCacheNeeds {
  /** Increases whenever a node changes. */
  readonly readRevision: () => Promise<number>
  readonly read: (scope: Scope, query: SubUserQuery) => Promise<Page<SubUserRow>>
  /**
   * Reads all sub-users below a place, without floor areas and whatever the scope. `ids` are the comma-joined ids from
   * the project down to the place.
   */
  readonly readBelow: (ids: string, limiter: Limiter) => Promise<Page<SubUserRow>>
}

/** Enough for the buildings of 400 residential areas. */
const MAX_BYTES = 30_000_000
/** A larger page is not a part of a tree that a user opens. */
const MAX_PAGE_BYTES = 3_000_000
/** Memory of a building besides its addresses, as an object and serialized. */
const BUILDING_BYTES = 650
const ADDRESS_BYTES = 100

const BELOW_PLACE = /^\^(?<ids>\d+(?:,\d+)*)\(,\|\$\)$/

/** Ids of the place if the filter asks for everything below one place, as the tree does: ^1,4,12(,|$). */
function toPlaceIds(filter: readonly FilterItem[]): string | undefined {
  const [item, ...others] = filter
  if (item === undefined || others.length > 0 || item.cond !== 'regex') return undefined
  if (item.field !== 'parentids' && item.field !== 'pids') return undefined
  return BELOW_PLACE.exec(item.vrex ?? '')?.groups?.ids
}

const sizeOf = ({ rows }: Page<SubUserRow>): number =>
  rows.reduce(
    (sum, { addresses, areas }) => sum + BUILDING_BYTES + ADDRESS_BYTES * (addresses.length + areas.length),
    0,
  )

/**
 * Caches the buildings below places of the tree until the revision of the groups changes. Only viewers whose scope
 * covers the whole place share cached answers; all other queries are read each time. `revision` is the revision at the
 * start of the call; it is read if missing.
 */
export function createSubUserCache({ readRevision, read, readBelow }: SubUserCacheNeeds) {
  const cache = createAnswerCache<SubUserAnswer>(MAX_BYTES, MAX_PAGE_BYTES)

  return async (viewer: Viewer, query: SubUserQuery, revision?: number): Promise<SubUserAnswer> => {
    const { scope } = viewer
    const { filter, limiter, withAreas } = query
    const ids = toPlaceIds(filter)
    const place = ids === undefined ? undefined : `/${ids.replaceAll(',', '/')}/`
    if (ids === undefined || place === undefined || !covers(scope, place))
      return toSubUserAnswer(viewer, await read(scope, query), withAreas)
    // Everything read after the revision is at least as new as the revision.
    const now = revision ?? (await readRevision())
    // The scope covers the whole place, so the viewer's abilities are the same for every building in it.
    const abilities = toNodeAbilities(viewer, { path: place, kind: 'sub-user' })
    const key = `${ids} ${limiter.page} ${limiter.size} ${withAreas} ${abilities}`
    const cached = cache.find(key, now)
    if (cached) return cached
    const page = await (withAreas ? read(scope, query) : readBelow(ids, limiter))
    return cache.store(key, now, sizeOf(page), toSubUserAnswer(viewer, page, withAreas))
  }
}
