import { someNode } from '../model/path-nodes.ts'

/**
 * Finds the node whose devices fell silent together. Of each node it counts how many devices below went lately and
 * how many have been gone for long, which say nothing about the rest.
 */
export interface SilentGroups {
  /**
   * A device went at an instant (Unix ms), or has been gone for who knows how long; again is no news, elsewhere it
   * moved.
   */
  noteGone(device: PlacedDevice, since: number | 'long'): void
  noteBack(deviceId: number): void
  /** Whether a device is gone. */
  isGone(deviceId: number): boolean
  /** A node that is to be measured though nothing is known to be gone below it. */
  notePlace(nodeId: number, place: { readonly path: string; readonly tenant: string }): void
  /** Undefined for a node nothing was noted of, or while nobody can count what is below. */
  measure(nodeId: number): GroupMeasure | undefined
  /**
   * The nodes that are to be looked at for an alarm: of those where most went, the highest, or the lowest below
   * that holds nearly all of them. Those that changed since the last look only.
   */
  findCandidates(isBad: (measure: GroupMeasure) => boolean): readonly GroupMeasure[]
  /** Counts as gone for long who went before an instant, unless `isKept` says that its alarm is still on. */
  age(before: number, isKept: (path: string) => boolean): void
}

export interface PlacedDevice {
  readonly id: number
  readonly path: string
  readonly tenant: string
}

/** A node with how much of what is below it went. */
export interface GroupMeasure {
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
  readonly recent: number
  /** Share of the devices that were there, %. */
  readonly sharePct: number
}

/** Fewer are single devices. */
const LEAST_IN_GROUP = 10
/** What holds this part of all that went is where it happened. */
const NEARLY_ALL = 0.9

interface Gone {
  readonly path: string
  readonly tenant: string
  readonly at: number
  readonly isOld: boolean
}

/** Changed in place: ten thousand devices go in a second, each below six nodes. */
interface Counts {
  path: string
  tenant: string
  recent: number
  old: number
}

/** Nodes so far down are counted, buildings; below are units and households, which are no group. */
const DEEPEST = 6

/** `countBelow` counts the devices below a path; undefined where that is not known. */
export function createSilentGroups(countBelow: (path: string) => number | undefined): SilentGroups {
  const gone = new Map<number, Gone>()
  const counts = new Map<number, Counts>()
  let changed = false

  function find(nodeId: number, path: string, end: number, tenant: string): Counts {
    const known = counts.get(nodeId)
    if (!known) {
      const added = { path: path.slice(0, end), tenant, recent: 0, old: 0 }
      counts.set(nodeId, added)
      return added
    }
    // It moved.
    if (known.path.length !== end || !path.startsWith(known.path)) known.path = path.slice(0, end)
    return known
  }

  function count({ path, tenant, isOld }: Gone, by: 1 | -1): void {
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

  function put(deviceId: number, now: Gone | undefined): void {
    const before = gone.get(deviceId)
    if (before) count(before, -1)
    if (now) {
      count(now, 1)
      gone.set(deviceId, now)
    } else gone.delete(deviceId)
  }

  function measure(nodeId: number): GroupMeasure | undefined {
    const found = counts.get(nodeId)
    if (!found) return undefined
    const { path, tenant, recent, old } = found
    const total = countBelow(path)
    if (total === undefined) return undefined
    const there = Math.max(total - old, recent)
    return { nodeId, path, tenant, recent, sharePct: there === 0 ? 0 : (100 * recent) / there }
  }

  function findBad(isBad: (measure: GroupMeasure) => boolean): readonly GroupMeasure[] {
    const bad: GroupMeasure[] = []
    for (const [nodeId, { recent }] of counts) {
      if (recent < LEAST_IN_GROUP) continue
      const measured = measure(nodeId)
      if (measured && isBad(measured)) bad.push(measured)
    }
    return bad.toSorted((left, right) => left.path.length - right.path.length)
  }

  return {
    noteGone({ id, path, tenant }, since) {
      const before = gone.get(id)
      if (before?.path === path) return
      const isOld = since === 'long'
      put(id, before ? { ...before, path } : { path, tenant, at: isOld ? 0 : since, isOld })
    },
    noteBack(deviceId) {
      if (gone.has(deviceId)) put(deviceId, undefined)
    },
    isGone: (deviceId) => gone.has(deviceId),
    notePlace(nodeId, place) {
      counts.set(nodeId, { recent: 0, old: 0, ...counts.get(nodeId), ...place })
    },
    measure,
    findCandidates(isBad) {
      if (!changed) return []
      changed = false
      const bad = findBad(isBad)
      const highest = new Set<number>()
      const found: GroupMeasure[] = []
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
    age(before, isKept) {
      for (const [deviceId, entry] of gone) {
        if (entry.isOld || entry.at >= before || isKept(entry.path)) continue
        put(deviceId, { ...entry, isOld: true })
      }
    },
  }
}
