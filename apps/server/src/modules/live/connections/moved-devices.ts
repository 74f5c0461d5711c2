import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory, DirectoryEntry, PlacedListener } from '../../devices/index.ts'
import type { TakeTurn } from '../subscriptions/time-slices.ts'

/** A connection as far as it watches places. */
export interface PlaceWatcher {
  /** Paths of the subtrees it watches. */
  watchedPaths(): Iterable<string>
  /** Takes a device as it stood before and as it stands now; undefined where it was not or is no more. */
  noteMove(former: DirectoryEntry | undefined, now: DirectoryEntry | undefined): void
  /** Starts anew what a device has left. */
  startOutdatedAnew(): void
}

export interface PlacedNewsNeeds {
  readonly connections: Iterable<PlaceWatcher>
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly takeTurn: TakeTurn
  readonly log: Log
}

/** Devices, and connections told of one, before others get their turn: a few ms. */
export const NOTED_AT_ONCE = 5_000

/** Finds who watches a subtree that a path lies in, in time that grows with its depth, not with their number. */
function indexWatchers(connections: Iterable<PlaceWatcher>): (path: string) => readonly PlaceWatcher[] {
  const byPath = new Map<string, Set<PlaceWatcher>>()
  for (const connection of connections) {
    for (const path of connection.watchedPaths()) {
      const watchers = byPath.get(path) ?? new Set()
      byPath.set(path, watchers.add(connection))
    }
  }
  return (path) => {
    const found: PlaceWatcher[] = []
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      found.push(...(byPath.get(path.slice(0, at + 1)) ?? []))
    }
    return found
  }
}

/**
 * Tells connections which devices came and which left; a listener of the directory. An import of a whole
 * company is 230,000 of them, so others get their turn in between. What is subscribed meanwhile starts from
 * the directory as it is by now, and need not be told.
 */
export function createPlacedNews({ connections, directory, takeTurn, log }: PlacedNewsNeeds) {
  let work: Promise<void> = Promise.resolve()

  async function tell(...[placed, left]: Parameters<PlacedListener>): Promise<void> {
    const findWatchers = indexWatchers(connections)
    const formerById = new Map(left.map((entry) => [entry.id, entry]))
    const told = new Set<PlaceWatcher>()
    let noted = 0
    for (const id of new Set([...placed.map((entry) => entry.id), ...formerById.keys()])) {
      const former = formerById.get(id)
      // Not as it was placed: it may have moved on.
      const now = directory.findById(id)
      const watchers = new Set([former, now].flatMap((entry) => (entry ? findWatchers(entry.path) : [])))
      for (const watcher of watchers) {
        watcher.noteMove(former, now)
        told.add(watcher)
      }
      noted += 1 + watchers.size
      if (noted >= NOTED_AT_ONCE) {
        noted = 0
        await takeTurn()
      }
    }
    for (const watcher of told) watcher.startOutdatedAnew()
  }

  /** One news after the other; resolves when it is told. What fails is logged. */
  return (...news: Parameters<PlacedListener>): Promise<void> => {
    work = work
      .then(() => tell(...news))
      .catch((error: unknown) => log.error({ err: error }, 'cannot tell which devices came and left'))
    return work
  }
}
