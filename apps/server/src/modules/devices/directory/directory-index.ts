import type { DirectoryEntry } from './directory.ts'
import { createSubtreeCounts, type SubtreeCounts } from './subtree-counts.ts'

/** Devices that are new or have changed their place, and devices that left their place, in their earlier state. */
export interface Difference {
  readonly placed: readonly DirectoryEntry[]
  readonly left: readonly DirectoryEntry[]
  /** Devices whose passwords no longer hold: changed logins, and devices that are gone. */
  readonly ended: readonly DirectoryEntry[]
}

/** The entries of the directory by id and by name. */
export interface DirectoryIndex {
  find(tenant: string, serial: string): DirectoryEntry | undefined
  findById(id: number): DirectoryEntry | undefined
  entries(): Iterable<DirectoryEntry>
  /** See subtree-counts.ts. */
  readonly countBelow: SubtreeCounts['count']
  /** Stores entries. An entry equal to the stored one is dropped, so the stored object stays. */
  put(entries: readonly DirectoryEntry[]): Difference
  /** Stores the current entries of `ids`. Those of `ids` without an entry are removed. */
  replace(ids: readonly number[], entries: readonly DirectoryEntry[]): Difference
  /** Removes all entries except these. */
  retain(ids: ReadonlySet<number>): Difference
}

const isSameLogin = (left: DirectoryEntry['login'], right: DirectoryEntry['login']): boolean =>
  left?.version === right?.version && left?.isRevoked === right?.isRevoked

const isSame = (left: DirectoryEntry, right: DirectoryEntry): boolean =>
  left.path === right.path &&
  left.serial === right.serial &&
  left.tenant === right.tenant &&
  left.concentratorId === right.concentratorId &&
  left.periodS === right.periodS &&
  left.kind === right.kind &&
  isSameLogin(left.login, right.login)

/** Whether two entries have the same path, concentrator and period. */
const isPlacedAs = (left: DirectoryEntry, right: DirectoryEntry): boolean =>
  left.path === right.path && left.concentratorId === right.concentratorId && left.periodS === right.periodS

export function createDirectoryIndex(): DirectoryIndex {
  const byId = new Map<number, DirectoryEntry>()
  /** Two levels, so that memory holds no joined text of tenant and serial. */
  const bySerial = new Map<string, Map<string, DirectoryEntry>>()

  const counts = createSubtreeCounts()

  function dropName(entry: DirectoryEntry): void {
    const named = bySerial.get(entry.tenant)
    // Another device may have this serial by now: two devices can swap their serials in one change.
    if (named?.get(entry.serial)?.id === entry.id) named.delete(entry.serial)
  }

  function store(entry: DirectoryEntry, before: DirectoryEntry | undefined): void {
    if (before) {
      dropName(before)
      counts.remove(before)
    }
    byId.set(entry.id, entry)
    counts.add(entry)
    const named = bySerial.get(entry.tenant) ?? new Map<string, DirectoryEntry>()
    bySerial.set(entry.tenant, named.set(entry.serial, entry))
  }

  function put(entries: readonly DirectoryEntry[]): Difference {
    const placed: DirectoryEntry[] = []
    const left: DirectoryEntry[] = []
    const ended: DirectoryEntry[] = []
    for (const entry of entries) {
      const before = byId.get(entry.id)
      if (before && isSame(before, entry)) continue
      store(entry, before)
      if (before && !isSameLogin(before.login, entry.login)) ended.push(entry)
      if (before && isPlacedAs(before, entry)) continue
      placed.push(entry)
      if (before && before.path !== entry.path) left.push(before)
    }
    return { placed, left, ended }
  }

  function remove(ids: Iterable<number>): readonly DirectoryEntry[] {
    const removed: DirectoryEntry[] = []
    for (const id of ids) {
      const before = byId.get(id)
      if (!before) continue
      dropName(before)
      counts.remove(before)
      byId.delete(id)
      removed.push(before)
    }
    return removed
  }

  return {
    find: (tenant, serial) => bySerial.get(tenant)?.get(serial),
    findById: (id) => byId.get(id),
    entries: () => byId.values(),
    countBelow: counts.count,
    put,
    replace(ids, entries) {
      const found = new Set(entries.map(({ id }) => id))
      const gone = remove(ids.filter((id) => !found.has(id)))
      const { placed, left, ended } = put(entries)
      return { placed, left: [...gone, ...left], ended: [...gone, ...ended] }
    },
    retain(ids) {
      const gone = remove([...byId.keys()].filter((id) => !ids.has(id)))
      return { placed: [], left: gone, ended: gone }
    },
  }
}
