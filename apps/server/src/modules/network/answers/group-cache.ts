import { LRUCache } from 'lru-cache'
import type { GroupRow } from './groups.pg.ts'

/** A project with all its groups, whatever the scope; callers must filter by it. */
export interface ProjectGroups {
  /** The project and all groups below it, in tree order. */
  readonly rows: readonly GroupRow[]
  /** Ids of the station controllers in use, by node, the oldest first. */
  readonly controllers: ReadonlyMap<number, readonly number[]>
}

export interface GroupCacheNeeds {
  /** Increases whenever a project, a group or a controller changes. */
  readonly readRevision: () => Promise<number>
  /** Returns no rows for an unknown project. */
  readonly read: (projectId: number) => Promise<ProjectGroups>
}

/** Groups with the index of each row, so that opening one station does not scan thousands of rows. */
interface IndexedGroups extends ProjectGroups {
  readonly indexOf: ReadonlyMap<number, number>
}

interface CachedGroups {
  readonly revision: number
  readonly groups: Promise<IndexedGroups>
}

async function withIndex(read: Promise<ProjectGroups>): Promise<IndexedGroups> {
  const groups = await read
  return { ...groups, indexOf: new Map(groups.rows.map(({ id }, index) => [id, index])) }
}

/** Returns the project or group with that id, undefined if there is none. */
export function findGroup({ rows, indexOf }: IndexedGroups, id: number): GroupRow | undefined {
  const index = indexOf.get(id)
  return index === undefined ? undefined : rows[index]
}

/** Returns a node and everything below it, which follows it in tree order; empty for an unknown id. */
export function sliceBranch({ rows, indexOf }: IndexedGroups, id: number): readonly GroupRow[] {
  const first = indexOf.get(id)
  const top = first === undefined ? undefined : rows[first]
  if (first === undefined || top === undefined) return []
  let end = first + 1
  while (rows[end]?.path.startsWith(top.path)) end += 1
  return rows.slice(first, end)
}

/** A large company has thousands of groups in a project. */
const MAX_PROJECTS = 100

/**
 * Caches projects with their groups until the revision of the groups changes: every tree starts with all of them.
 * `revisionOfCall` is the revision at the start of the call; it is read if missing. Concurrent calls share one read.
 */
export function createGroupCache({ readRevision, read }: GroupCacheNeeds) {
  const cache = new LRUCache<number, CachedGroups>({ max: MAX_PROJECTS })

  return async (projectId: number, revisionOfCall?: number): Promise<IndexedGroups> => {
    // Everything read after the revision is at least as new as the revision.
    const revision = revisionOfCall ?? (await readRevision())
    const cached = cache.get(projectId)
    if (cached?.revision === revision) return cached.groups
    const groups = withIndex(read(projectId))
    cache.set(projectId, { revision, groups })
    const evict = (): void => {
      if (cache.peek(projectId)?.groups === groups) cache.delete(projectId)
    }
    // Neither an unknown project nor a failed read stays in the cache.
    groups.then(({ rows }) => (rows.length === 0 ? evict() : undefined), evict)
    return groups
  }
}
