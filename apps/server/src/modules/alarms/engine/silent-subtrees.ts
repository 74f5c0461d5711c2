import { createIdColumn } from '../../../platform/columns/id-column.ts'
import { someNode } from '../model/path-nodes.ts'

/**
 * Finds nodes whose devices became silent together. For each node it counts the devices below that became silent recently,
 * and those that have been silent for long, which are left out of the share.
 */
export interface SilentSubtrees {
  /**
   * A device became silent at an instant (Unix ms), or has been silent for long. A repeated call has no effect; with another
   * path the device has moved.
   */
  recordAbsent(device: PlacedDevice, since: number | 'long'): void
  recordReturn(deviceId: number): void
  /** Whether a device is silent or its state unknown. */
  isAbsent(deviceId: number): boolean
  /** Adds a node to measure, even without silent devices below it. */
  recordPlace(nodeId: number, place: { readonly path: string; readonly tenant: string }): void
  /** Undefined for an unknown node, or while the number of devices below is not known. */
  measure(nodeId: number): SubtreeMeasure | undefined
  /**
   * Nodes to evaluate for an alarm: the highest of the bad nodes, or the lowest node below it with nearly all of its silent
   * devices. Empty if nothing changed since the last call.
   */
  findCandidates(isBad: (measure: SubtreeMeasure) => boolean): readonly SubtreeMeasure[]
  /** Counts devices that became silent before an instant as silent for long, unless their alarm is still on (`isExempt`). */
  age(before: number, isExempt: (path: string) => boolean): void
}

export interface PlacedDevice {
  readonly id: number
  readonly path: string
  readonly tenant: string
}

/** A node with the share of silent devices below it. */
export interface SubtreeMeasure {
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
  readonly recent: number
  /** Share of the devices that were not silent for long, %. */
  readonly sharePct: number
}

/** With fewer silent devices each gets its own alarm. */
const MIN_SILENT_DEVICES = 10
/** A lower node with this share of the silent devices is the place of the fault. */
const NEARLY_ALL = 0.9

/** Mutable, because ten thousand devices may become silent in a second, each below six nodes. */
interface Counts {
  path: string
  tenant: string
  recent: number
  old: number
}

/** Deepest level that is counted: buildings. Units and households are too small for an alarm of their own. */
const DEEPEST = 6

/** `countBelow` returns the number of devices below a path; undefined if it is not known. */
export function createSilentSubtrees(countBelow: (path: string) => number | undefined): SilentSubtrees {
  // By device id. An object for each of a whole company of silent devices would take four times the memory.
  /** The devices as they were counted. Their texts are the directory's. */
  const counted: (PlacedDevice | undefined)[] = []
  const since = createIdColumn(0)
  /** 1 for devices that have been silent for long. */
  const old = createIdColumn(0, Uint8Array)
  const counts = new Map<number, Counts>()
  let changed = false

  function find(nodeId: number, path: string, end: number, tenant: string): Counts {
    const known = counts.get(nodeId)
    if (!known) {
      const added = { path: path.slice(0, end), tenant, recent: 0, old: 0 }
      counts.set(nodeId, added)
      return added
    }
    // The node has moved.
    if (known.path.length !== end || !path.startsWith(known.path)) known.path = path.slice(0, end)
    return known
  }

  function count({ id, path, tenant }: PlacedDevice, by: 1 | -1): void {
    const isOld = old.get(id) === 1
    changed = true
    let depth = 0
    someNode(path, (nodeId, end) => {
      const found = find(nodeId, path, end, tenant)
      if (isOld) found.old += by
      else found.recent += by
      depth += 1
      return depth === DEEPEST
    })
  }

  function forget(deviceId: number): void {
    const before = counted[deviceId]
    if (!before) return
    count(before, -1)
    counted[deviceId] = undefined
  }

  function measure(nodeId: number): SubtreeMeasure | undefined {
    const found = counts.get(nodeId)
    if (!found) return undefined
    const { path, tenant, recent, old } = found
    const total = countBelow(path)
    if (total === undefined) return undefined
    const reporting = Math.max(total - old, recent)
    return { nodeId, path, tenant, recent, sharePct: reporting === 0 ? 0 : (100 * recent) / reporting }
  }

  function findBad(isBad: (measure: SubtreeMeasure) => boolean): readonly SubtreeMeasure[] {
    const bad: SubtreeMeasure[] = []
    for (const [nodeId, { recent }] of counts) {
      if (recent < MIN_SILENT_DEVICES) continue
      const measured = measure(nodeId)
      if (measured && isBad(measured)) bad.push(measured)
    }
    return bad.toSorted((left, right) => left.path.length - right.path.length)
  }

  return {
    recordAbsent(device, at) {
      const { id, path } = device
      const before = counted[id]
      if (before?.path === path) return
      forget(id)
      if (!before) {
        since.put(id, at === 'long' ? 0 : at)
        old.put(id, at === 'long' ? 1 : 0)
      }
      counted[id] = device
      count(device, 1)
    },
    recordReturn: forget,
    isAbsent: (deviceId) => counted[deviceId] !== undefined,
    recordPlace(nodeId, place) {
      counts.set(nodeId, { recent: 0, old: 0, ...counts.get(nodeId), ...place })
    },
    measure,
    findCandidates(isBad) {
      if (!changed) return []
      changed = false
      const bad = findBad(isBad)
      const highest = new Set<number>()
      const found: SubtreeMeasure[] = []
      for (const top of bad) {
        if (someNode(top.path, (nodeId) => highest.has(nodeId))) continue
        highest.add(top.nodeId)
        const inside = bad.filter(
          ({ path, recent }) => path.startsWith(top.path) && recent >= NEARLY_ALL * top.recent,
        )
        found.push(inside.at(-1) ?? top)
      }
      return found
    },
    age(before, isExempt) {
      for (const device of counted) {
        if (!device || old.get(device.id) === 1 || since.get(device.id) >= before) continue
        if (isExempt(device.path)) continue
        count(device, -1)
        old.put(device.id, 1)
        count(device, 1)
      }
    },
  }
}
