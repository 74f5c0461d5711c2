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

interface Counts {
  readonly path: string
  readonly tenant: string
  readonly recent: number
  readonly old: number
}

/** Nodes so far down are counted, buildings; below are units and households, which are no group. */
const DEEPEST = 6

/** Nodes above a device with their paths, the highest first. */
function listNodes(path: string): readonly (readonly [nodeId: number, path: string])[] {
  const nodes: [number, string][] = []
  for (let start = 1, end = path.indexOf('/', 1); end > 0; start = end + 1, end = path.indexOf('/', start)) {
    const id = Number(path.slice(start, end))
    if (!Number.isInteger(id) || nodes.length === DEEPEST) break
    nodes.push([id, path.slice(0, end + 1)])
  }
  return nodes
}

/** `countBelow` counts the devices below a path; undefined where that is not known. */
export function createSilentGroups(countBelow: (path: string) => number | undefined): SilentGroups {
  const gone = new Map<number, Gone>()
  const counts = new Map<number, Counts>()
  let changed = false

  function count({ path, tenant, isOld }: Gone, by: 1 | -1): void {
    changed = true
    for (const [nodeId, nodePath] of listNodes(path)) {
      const { recent, old } = counts.get(nodeId) ?? { recent: 0, old: 0 }
      const next = { recent: recent + (isOld ? 0 : by), old: old + (isOld ? by : 0) }
      counts.set(nodeId, { ...next, tenant, path: nodePath })
    }
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
      const highest = new Set<string>()
      const found: GroupMeasure[] = []
      for (const top of bad) {
        if (listNodes(top.path).some(([, path]) => highest.has(path))) continue
        highest.add(top.path)
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
