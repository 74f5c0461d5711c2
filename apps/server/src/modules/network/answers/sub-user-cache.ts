import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { covers, type Scope } from '../../../platform/scope/scope.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import { createKeptAnswers } from './answer-cache.ts'
import type { Page, SubUserQuery, SubUserRow } from './store.ts'
import { type SubUserAnswer, toSubUserAnswer } from './sub-user-answer.ts'

export type ReadSubUsers = (scope: Scope, query: SubUserQuery) => Promise<Page<SubUserRow>>

export interface KeptSubUsersNeeds {
  /** Higher once any node was changed. */
  readonly readRevision: () => Promise<number>
  readonly read: ReadSubUsers
  /** All below a place, whoever asks, without floor areas; `ids` from its project down, with commas between. */
  readonly readBelow: (ids: string, limiter: Limiter) => Promise<Page<SubUserRow>>
}

/** The buildings of 400 residential areas. */
const KEPT_BYTES = 30_000_000
/** Larger pages are no part of a tree that somebody opens. */
const LARGEST_PAGE_BYTES = 3_000_000
/** What a building takes besides its addresses, as it is kept and as it is sent. */
const BUILDING_BYTES = 650
const ADDRESS_BYTES = 100

const BELOW_PLACE = /^\^(?<ids>\d+(?:,\d+)*)\(,\|\$\)$/

/** Ids of the place when a filter asks for all that stands below one, as the tree does: ^1,4,12(,|$). */
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
 * Buildings below places of the tree, read anew once any node was changed. They are kept for whoever is granted the
 * whole place; what others see of it is read each time. `revision` is that of the call, read at its beginning.
 */
export function createKeptSubUsers({ readRevision, read, readBelow }: KeptSubUsersNeeds) {
  const kept = createKeptAnswers<SubUserAnswer>(KEPT_BYTES, LARGEST_PAGE_BYTES)

  return async (viewer: Viewer, query: SubUserQuery, revision?: number): Promise<SubUserAnswer> => {
    const { scope } = viewer
    const { filter, limiter, withAreas } = query
    const ids = toPlaceIds(filter)
    const place = ids === undefined ? undefined : `/${ids.replaceAll(',', '/')}/`
    if (ids === undefined || place === undefined || !covers(scope, place))
      return toSubUserAnswer(viewer, await read(scope, query), withAreas)
    // What is read after the revision is at least as new.
    const now = revision ?? (await readRevision())
    // Of a place that is granted whole, whoever may do something with one building may do it with all.
    const abilities = toNodeAbilities(viewer, { path: place, kind: 'sub-user' })
    const key = `${ids} ${limiter.page} ${limiter.size} ${withAreas} ${abilities}`
    const known = kept.find(key, now)
    if (known) return known
    const page = await (withAreas ? read(scope, query) : readBelow(ids, limiter))
    return kept.keep(key, now, sizeOf(page), toSubUserAnswer(viewer, page, withAreas))
  }
}
