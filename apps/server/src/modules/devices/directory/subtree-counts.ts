import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { splitPaths } from '../../../platform/scope/scope.ts'

/** Where a device stands and what it is. */
export interface CountedDevice {
  readonly path: string
  readonly kind: DeviceKind
}

/** How many devices of each kind stand in a subtree, known without looking at them. */
export interface SubtreeCounts {
  add(device: CountedDevice): void
  remove(device: CountedDevice): void
  /** Devices of `kinds` below a path; undefined for one so low that its few devices are better counted. */
  count(path: string, kinds: readonly DeviceKind[]): number | undefined
}

/**
 * Counts are kept for nodes of so many steps from the top, down to buildings; a million units and households
 * would take more memory than all their devices.
 */
const DEEPEST = 6
/** Stands for the root, which is no row; ids of nodes are positive. */
const ROOT_ID = 0

const places = new Map(deviceKind.options.map((kind, index) => [kind, index]))

const SLASH = '/'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
/** What a device's own step begins with (platform/scope.ts). */
const DEVICE = 'd'.charCodeAt(0)

/** Ids of the nodes on a path from the top, the root first, no more than are counted by. */
function listCounted(path: string): readonly number[] {
  const ids = [ROOT_ID]
  let id = 0
  for (let at = 1; at < path.length && ids.length <= DEEPEST; at += 1) {
    const sign = path.charCodeAt(at)
    if (sign === SLASH) {
      ids.push(id)
      id = 0
    } else if (sign === DEVICE) break
    else id = id * 10 + sign - ZERO
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
