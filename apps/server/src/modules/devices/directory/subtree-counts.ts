import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { splitPaths } from '../../../platform/scope/scope.ts'

/** The path and the kind of a device. */
export interface CountedDevice {
  readonly path: string
  readonly kind: DeviceKind
}

/** Counts of devices by subtree and kind, in memory. */
export interface SubtreeCounts {
  add(device: CountedDevice): void
  remove(device: CountedDevice): void
  /** Devices of `kinds` below a path; undefined for a path deeper than the counted levels. */
  count(path: string, kinds: readonly DeviceKind[]): number | undefined
}

/**
 * The deepest counted level: buildings. Counts of a million units and households would take more memory than all their
 * devices.
 */
const DEEPEST = 6
/** Id of the root, which has no row. Ids of nodes are positive. */
const ROOT_ID = 0

const places = new Map(deviceKind.options.map((kind, index) => [kind, index]))

const SLASH = '/'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
/** First character of a device's own step in its path (platform/scope/scope.ts). */
const DEVICE = 'd'.charCodeAt(0)

/** Ids of the counted nodes on a path, from the root down. */
function listCounted(path: string): readonly number[] {
  const ids = [ROOT_ID]
  let id = 0
  for (let at = 1; at < path.length && ids.length <= DEEPEST; at += 1) {
    const code = path.charCodeAt(at)
    if (code === SLASH) {
      ids.push(id)
      id = 0
    } else if (code === DEVICE) break
    else id = id * 10 + code - ZERO
  }
  return ids
}
export function createSubtreeCounts(): SubtreeCounts {
  const byNode = new Map<number, number[]>()

  function change({ path, kind }: CountedDevice, by: 1 | -1): void {
    const place = places.get(kind) ?? 0
    for (const id of listCounted(path)) {
      const counts = byNode.get(id) ?? deviceKind.options.map(() => 0)
      counts[place] = (counts[place] ?? 0) + by
      if (counts.some((count) => count > 0)) byNode.set(id, counts)
      else byNode.delete(id)
    }
  }

  return {
    add: (device) => change(device, 1),
    remove: (device) => change(device, -1),
    count(path, kinds) {
      const steps = path.split('/').length - 2
      if (steps > DEEPEST || splitPaths([path]).deviceIds.length > 0) return undefined
      const counts = byNode.get(listCounted(path).at(-1) ?? ROOT_ID)
      return [...new Set(kinds)].reduce((sum, kind) => sum + (counts?.[places.get(kind) ?? 0] ?? 0), 0)
    },
  }
}
