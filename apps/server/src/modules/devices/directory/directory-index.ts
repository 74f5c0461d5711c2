import { createDeviceTable } from './device-table.ts'
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
  left?.version === right?.version &&
  left?.isRevoked === right?.isRevoked &&
  left?.certificatesFrom === right?.certificatesFrom

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
  const table = createDeviceTable<DirectoryEntry>()
  const counts = createSubtreeCounts()

  function store(entry: DirectoryEntry, before: DirectoryEntry | undefined): void {
    if (before) counts.remove(before)
    table.put(entry)
    counts.add(entry)
  }

  function put(entries: readonly DirectoryEntry[]): Difference {
    const placed: DirectoryEntry[] = []
    const left: DirectoryEntry[] = []
    const ended: DirectoryEntry[] = []
    for (const entry of entries) {
      const before = table.findById(entry.id)
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
      const before = table.findById(id)
      if (!before) continue
      table.remove(id)
      counts.remove(before)
      removed.push(before)
    }
    return removed
  }

  return {
    find: table.find,
    findById: table.findById,
    entries: table.entries,
    countBelow: counts.count,
    put,
    replace(ids, entries) {
      const found = new Set(entries.map(({ id }) => id))
      const gone = remove(ids.filter((id) => !found.has(id)))
      const { placed, left, ended } = put(entries)
      return { placed, left: [...gone, ...left], ended: [...gone, ...ended] }
    },
    retain(ids) {
      const gone = remove([...table.entries()].flatMap(({ id }) => (ids.has(id) ? [] : id)))
      return { placed: [], left: gone, ended: gone }
    },
  }
}
