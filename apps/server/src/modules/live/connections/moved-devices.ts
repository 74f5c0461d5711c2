import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory, DirectoryEntry, PlacedListener } from '../../devices/index.ts'
import type { WaitForSlice } from '../subscriptions/time-slices.ts'

/** A connection that watches subtrees. */
export interface PlaceWatcher {
  /** Paths of the watched subtrees. */
  watchedPaths(): Iterable<string>
  /** Records a device before and after a move; undefined if it is new or removed. */
  applyMove(former: DirectoryEntry | undefined, now: DirectoryEntry | undefined): void
  /** Restarts subscriptions that a device has left. */
  restartOutdated(): void
}

export interface MovedDevicesNeeds {
  readonly connections: Iterable<PlaceWatcher>
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly waitForSlice: WaitForSlice
  readonly log: Log
}

/** Devices, and notified connections, that are processed in one time slice of some ms. */
export const NOTIFIED_PER_SLICE = 5_000

/**
 * Returns a function that finds the watchers of all subtrees that contain a path. Its time depends on the depth of the
 * path, not on the number of watchers.
 */
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
 * Notifies connections of devices that moved in or out; a listener of the directory. An import of a company moves
 * 230,000 devices, so it runs in time slices. A subscription that is opened meanwhile reads the current directory and
 * needs no notification.
 */
export function createMoveNotifier({ connections, directory, waitForSlice, log }: MovedDevicesNeeds) {
  let work: Promise<void> = Promise.resolve()

  async function notify(...[placed, left]: Parameters<PlacedListener>): Promise<void> {
    const findWatchers = indexWatchers(connections)
    const formerById = new Map(left.map((entry) => [entry.id, entry]))
    const notified = new Set<PlaceWatcher>()
    let inSlice = 0
    for (const id of new Set([...placed.map((entry) => entry.id), ...formerById.keys()])) {
      const former = formerById.get(id)
      // The current entry, because the device may have moved again.
      const now = directory.findById(id)
      const watchers = new Set([former, now].flatMap((entry) => (entry ? findWatchers(entry.path) : [])))
      for (const watcher of watchers) {
        watcher.applyMove(former, now)
        notified.add(watcher)
      }
      inSlice += 1 + watchers.size
      if (inSlice >= NOTIFIED_PER_SLICE) {
        inSlice = 0
        await waitForSlice()
      }
    }
    for (const watcher of notified) watcher.restartOutdated()
  }

  /** Runs one change after the other; resolves when the change is notified. A failure is logged. */
  return (...change: Parameters<PlacedListener>): Promise<void> => {
    work = work
      .then(() => notify(...change))
      .catch((error: unknown) => log.error({ err: error }, 'cannot notify of moved devices'))
    return work
  }
}
