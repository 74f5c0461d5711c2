import { LRUCache } from 'lru-cache'
import type { GroupRow } from './store.ts'

/** A project with its groups, as far as whoever looks may see them is left to the reader. */
export interface ProjectGroups {
  /** The project and all groups below it, in tree order. */
  readonly rows: readonly GroupRow[]
  /** Ids of the station controllers in use on each node that has any, the one that came first first. */
  readonly controllers: ReadonlyMap<number, readonly number[]>
}

export interface KeptGroupsNeeds {
  /** Higher once a project, a group or a controller was changed. */
  readonly readRevision: () => Promise<number>
  /** No rows when there is no such project. */
  readonly read: (projectId: number) => Promise<ProjectGroups>
}

/** As it is kept: where each row lies, since somebody who opens a station must not go through thousands. */
interface KeptGroups extends ProjectGroups {
  readonly placeOf: ReadonlyMap<number, number>
}

interface Kept {
  readonly revision: number
  readonly groups: Promise<KeptGroups>
}

async function withPlaces(read: Promise<ProjectGroups>): Promise<KeptGroups> {
  const groups = await read
  return { ...groups, placeOf: new Map(groups.rows.map(({ id }, place) => [id, place])) }
}

/** Nothing for an id that is not there. */
export function findGroup({ rows, placeOf }: KeptGroups, id: number): GroupRow | undefined {
  const place = placeOf.get(id)
  return place === undefined ? undefined : rows[place]
}

/** A node with all that stands below it: in tree order that comes right after it. Nothing for an id that is not there. */
export function takeBranch({ rows, placeOf }: KeptGroups, id: number): readonly GroupRow[] {
  const first = placeOf.get(id)
  const top = first === undefined ? undefined : rows[first]
  if (first === undefined || top === undefined) return []
  let end = first + 1
  while (rows[end]?.path.startsWith(top.path)) end += 1
  return rows.slice(first, end)
}

/** A large company has thousands of groups in a project. */
const KEPT_PROJECTS = 100

/**
 * Projects with their groups, read anew once any was changed: every tree begins with all of them. `revisionOfCall`
 * is that of the call, read at its beginning.
 */
export function createKeptGroups({ readRevision, read }: KeptGroupsNeeds) {
  const kept = new LRUCache<number, Kept>({ max: KEPT_PROJECTS })

  return async (projectId: number, revisionOfCall?: number): Promise<KeptGroups> => {
    // What is read after the revision is at least as new.
    const revision = revisionOfCall ?? (await readRevision())
    const known = kept.get(projectId)
    if (known?.revision === revision) return known.groups
    const groups = withPlaces(read(projectId))
    kept.set(projectId, { revision, groups })
    const giveUp = (): void => {
      if (kept.peek(projectId)?.groups === groups) kept.delete(projectId)
    }
    // A project that is not there takes no other's place.
    groups.then(({ rows }) => (rows.length === 0 ? giveUp() : undefined), giveUp)
    return groups
  }
}
