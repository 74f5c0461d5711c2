import type { DirectoryEntry } from './directory.ts'
import { createSubtreeCounts, type SubtreeCounts } from './subtree-counts.ts'

/** Devices that came, stand elsewhere or speak otherwise, and those that left where they stood, as they stood. */
export interface Difference {
  readonly placed: readonly DirectoryEntry[]
  readonly left: readonly DirectoryEntry[]
}

/** The entries of the directory by id and by name. */
export interface DirectoryIndex {
  find(tenant: string, serial: string): DirectoryEntry | undefined
  findById(id: number): DirectoryEntry | undefined
  entries(): Iterable<DirectoryEntry>
  /** Of subtree-counts.ts. */
  readonly countBelow: SubtreeCounts['count']
  /** Takes entries in; one that says nothing new is dropped for the one there is. */
  put(entries: readonly DirectoryEntry[]): Difference
  /** Takes in what there is of `ids` now; the others of them are gone. */
  replace(ids: readonly number[], entries: readonly DirectoryEntry[]): Difference
  /** Forgets all but these. */
  keepOnly(ids: ReadonlySet<number>): Difference
}

const isSame = (left: DirectoryEntry, right: DirectoryEntry): boolean =>
  left.path === right.path &&
  left.serial === right.serial &&
  left.tenant === right.tenant &&
  left.concentratorId === right.concentratorId &&
  left.periodS === right.periodS &&
  left.kind === right.kind

/** Stands at the same place, and speaks as often and through the same device. */
const isPlacedAs = (left: DirectoryEntry, right: DirectoryEntry): boolean =>
  left.path === right.path && left.concentratorId === right.concentratorId && left.periodS === right.periodS

export function createDirectoryIndex(): DirectoryIndex {
  const byId = new Map<number, DirectoryEntry>()
  /** By tenant, so that no text is kept of the two together. */
  const bySerial = new Map<string, Map<string, DirectoryEntry>>()

  const counts = createSubtreeCounts()

  function dropName(entry: DirectoryEntry): void {
    const named = bySerial.get(entry.tenant)
    // Its name may be another's by now: two devices can have changed it together.
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
    for (const entry of entries) {
      const before = byId.get(entry.id)
      if (before && isSame(before, entry)) continue
      store(entry, before)
      if (before && isPlacedAs(before, entry)) continue
      placed.push(entry)
      if (before && before.path !== entry.path) left.push(before)
    }
    return { placed, left }
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
      const { placed, left } = put(entries)
      return { placed, left: [...gone, ...left] }
    },
    keepOnly: (ids) => ({ placed: [], left: remove([...byId.keys()].filter((id) => !ids.has(id))) }),
  }
}
