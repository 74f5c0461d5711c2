import { setImmediate } from 'node:timers/promises'
import { ROOT_PATH, toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory, DirectoryEntry } from './directory.ts'

/** Active devices sorted by path, so that a subtree is a range. */
export interface OrderedDevices {
  /** The order at the time of the call or later. A returned array never changes. */
  read(): Promise<readonly DirectoryEntry[]>
  /** The order now; undefined while devices that were added, removed or moved are not in it yet. */
  current(): readonly DirectoryEntry[] | undefined
}

/** Positions from `start`, included, to `end`, excluded. */
export interface DeviceRange {
  readonly start: number
  readonly end: number
}

/** Devices that are processed in one time slice of at most some ms. */
export const DEVICES_PER_SLICE = 10_000
/** Paths that are sorted in one time slice; a comparison costs more than reading a device. */
const PATHS_PER_SLICE = 4_000

/** First position whose path is not less than `path`. */
function findPosition(devices: readonly DirectoryEntry[], path: string): number {
  let low = 0
  let high = devices.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((devices[middle]?.path ?? '') < path) low = middle + 1
    else high = middle
  }
  return low
}

/** A text that sorts after every path below `path`: the character after the final slash is the digit 0. */
const toEnd = (path: string): string => `${path.slice(0, -1)}0`

/** Range of the devices below a path. */
export const findRange = (devices: readonly DirectoryEntry[], path: string): DeviceRange =>
  path === ROOT_PATH
    ? { start: 0, end: devices.length }
    : { start: findPosition(devices, path), end: findPosition(devices, toEnd(path)) }

/**
 * Range of the devices directly at a node. They sort behind those of its child nodes, because their step begins with
 * the letter d.
 */
export const findOwnRange = (devices: readonly DirectoryEntry[], path: string): DeviceRange => ({
  start: findPosition(devices, `${path}d`),
  end: findPosition(devices, `${path}e`),
})

/** The devices below any of `paths`, each once, in order of path. */
export function* devicesBelow(
  devices: readonly DirectoryEntry[],
  paths: readonly string[],
): Generator<DirectoryEntry> {
  for (const path of toDisjointPaths(paths)) {
    const { start, end } = findRange(devices, path)
    for (let at = start; at < end; at += 1) {
      const device = devices[at]
      if (device) yield device
    }
  }
}

const byPath = (left: DirectoryEntry, right: DirectoryEntry): number =>
  left.path < right.path ? -1 : Number(left.path > right.path)

/** Merges two sorted runs; of `left` only the devices that `isIncluded` accepts. */
async function merge(
  left: readonly DirectoryEntry[],
  right: readonly DirectoryEntry[],
  isIncluded: (device: DirectoryEntry) => boolean = () => true,
): Promise<readonly DirectoryEntry[]> {
  const merged: DirectoryEntry[] = []
  let at = 0
  let steps = 0
  for (const device of left) {
    steps += 1
    if (steps % DEVICES_PER_SLICE === 0) await setImmediate()
    if (!isIncluded(device)) continue
    for (let next = right[at]; next && byPath(next, device) < 0; next = right[at]) {
      merged.push(next)
      at += 1
      steps += 1
      if (steps % DEVICES_PER_SLICE === 0) await setImmediate()
    }
    merged.push(device)
  }
  for (; at < right.length; at += 1) {
    const rest = right[at]
    if (rest) merged.push(rest)
    if (at % DEVICES_PER_SLICE === 0) await setImmediate()
  }
  return merged
}

/** Sorts in time slices: sorting millions of paths at once would block the server for seconds. */
async function sort(devices: Iterable<DirectoryEntry>): Promise<readonly DirectoryEntry[]> {
  let runs: (readonly DirectoryEntry[])[] = []
  let run: DirectoryEntry[] = []
  for (const device of devices) {
    run.push(device)
    if (run.length < PATHS_PER_SLICE) continue
    runs.push(run.sort(byPath))
    run = []
    await setImmediate()
  }
  runs.push(run.sort(byPath))
  while (runs.length > 1) {
    const merged: (readonly DirectoryEntry[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}

/** Sorts the devices of the directory once. Later moves only change the affected positions. */
export function createOrderedDevices(
  directory: Pick<DeviceDirectory, 'entries' | 'findById' | 'onPlaced'>,
): OrderedDevices {
  /** Devices that were added, removed or moved since the last order. */
  let changedIds = new Set<number>()
  let ordered: readonly DirectoryEntry[] | undefined
  let ordering: Promise<readonly DirectoryEntry[]> | undefined
  directory.onPlaced((placed, left) => {
    for (const { id } of placed) changedIds.add(id)
    for (const { id } of left) changedIds.add(id)
  })

  async function order(): Promise<readonly DirectoryEntry[]> {
    // Changes from here on are handled by the next call, whether this one includes them or not.
    const changed = changedIds
    changedIds = new Set()
    if (!ordered) ordered = await sort(directory.entries())
    else {
      const now = [...changed].flatMap((id) => directory.findById(id) ?? [])
      ordered = await merge(ordered, await sort(now), ({ id }) => !changed.has(id))
    }
    return ordered
  }

  return {
    current: () => (changedIds.size === 0 && !ordering ? ordered : undefined),
    async read() {
      // An order in progress may have started before the last change.
      if (ordering) await ordering
      if (ordered && changedIds.size === 0) return ordered
      ordering ??= order().finally(() => {
        ordering = undefined
      })
      return ordering
    },
  }
}
