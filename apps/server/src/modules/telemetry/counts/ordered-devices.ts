import { setImmediate } from 'node:timers/promises'
import { ROOT_PATH, toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'

/** Devices in use by path: what stands below a path is a range. */
export interface OrderedDevices {
  /** As they stood when this was asked, or later; an array once given is never changed. */
  read(): Promise<readonly DirectoryEntry[]>
}

/** Positions from `start` up to `end`. */
export interface DeviceRange {
  readonly start: number
  readonly end: number
}

/** Devices looked at before others get their turn: at most some ms. */
export const AT_ONCE = 10_000
/** Paths sorted before others get their turn; a comparison of two costs more than a look at one. */
const SORTED_AT_ONCE = 4_000

/** First position at or after which nothing sorts before `path`. */
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

/** Sorts after everything below `path`: the sign after the slash that ends it is the digit 0. */
const toEnd = (path: string): string => `${path.slice(0, -1)}0`

/** Where the devices below a path stand. */
export const findRange = (devices: readonly DirectoryEntry[], path: string): DeviceRange =>
  path === ROOT_PATH
    ? { start: 0, end: devices.length }
    : { start: findPosition(devices, path), end: findPosition(devices, toEnd(path)) }

/** Where the devices on the node of a path itself stand: after those of the nodes below it, by the letter of their step. */
export const findOwnRange = (devices: readonly DirectoryEntry[], path: string): DeviceRange => ({
  start: findPosition(devices, `${path}d`),
  end: findPosition(devices, `${path}e`),
})

/** The devices below any of `paths`, each once, by path. */
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

/** Two runs in order as one; of `left` only what `isKept`. */
async function merge(
  left: readonly DirectoryEntry[],
  right: readonly DirectoryEntry[],
  isKept: (device: DirectoryEntry) => boolean = () => true,
): Promise<readonly DirectoryEntry[]> {
  const merged: DirectoryEntry[] = []
  let at = 0
  let steps = 0
  for (const device of left) {
    steps += 1
    if (steps % AT_ONCE === 0) await setImmediate()
    if (!isKept(device)) continue
    for (let next = right[at]; next && byPath(next, device) < 0; next = right[at]) {
      merged.push(next)
      at += 1
      steps += 1
      if (steps % AT_ONCE === 0) await setImmediate()
    }
    merged.push(device)
  }
  for (; at < right.length; at += 1) {
    const rest = right[at]
    if (rest) merged.push(rest)
    if (at % AT_ONCE === 0) await setImmediate()
  }
  return merged
}

/** Sorts in turns: millions of paths in one go would keep everybody waiting for seconds. */
async function sort(devices: Iterable<DirectoryEntry>): Promise<readonly DirectoryEntry[]> {
  let runs: (readonly DirectoryEntry[])[] = []
  let run: DirectoryEntry[] = []
  for (const device of devices) {
    run.push(device)
    if (run.length < SORTED_AT_ONCE) continue
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

/** Orders the devices of the directory once, and afterwards puts what was placed or left in and out of its place. */
export function createOrderedDevices(
  directory: Pick<DeviceDirectory, 'entries' | 'findById' | 'onPlaced'>,
): OrderedDevices {
  /** Devices that came, went or stand elsewhere since they were ordered. */
  let changedIds = new Set<number>()
  let ordered: readonly DirectoryEntry[] | undefined
  let ordering: Promise<readonly DirectoryEntry[]> | undefined
  directory.onPlaced((placed, left) => {
    for (const { id } of placed) changedIds.add(id)
    for (const { id } of left) changedIds.add(id)
  })

  async function order(): Promise<readonly DirectoryEntry[]> {
    // What changes from here on is in its place the next time, whether it was seen now or not.
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
    async read() {
      // An ordering under way may have begun before what was placed last.
      if (ordering) await ordering
      if (ordered && changedIds.size === 0) return ordered
      ordering ??= order().finally(() => {
        ordering = undefined
      })
      return ordering
    },
  }
}
