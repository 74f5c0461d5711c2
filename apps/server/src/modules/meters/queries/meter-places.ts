import { setImmediate } from 'node:timers/promises'
import type { DeviceDirectory } from '../../devices/index.ts'

/** A meter in use and the path of its node. */
export interface PlacedMeter {
  readonly id: number
  readonly path: string
  readonly periodS: number
}

const ENTRIES_PER_SLICE = 20_000

/** Meters at and below paths, in the order of their paths; a node with several has the one with the lowest number. */
export async function listMeters(
  directory: Pick<DeviceDirectory, 'below'>,
  paths: readonly string[],
): Promise<readonly PlacedMeter[]> {
  const byPath = new Map<string, PlacedMeter>()
  let scanned = 0
  for (const { id, kind, path, periodS } of directory.below(paths)) {
    scanned += 1
    if (scanned % ENTRIES_PER_SLICE === 0) await setImmediate()
    if (kind !== 'heat-meter') continue
    const node = path.slice(0, path.lastIndexOf('d'))
    const other = byPath.get(node)
    if (other === undefined || id < other.id) byPath.set(node, { id, path: node, periodS })
  }
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1))
}

/** Position of the first meter at or after a path. */
function findStart(meters: readonly PlacedMeter[], path: string): number {
  let [low, high] = [0, meters.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((meters[middle]?.path ?? '') < path) low = middle + 1
    else high = middle
  }
  return low
}

/** The meter of a node, and the highest meters below it: a building's own meter instead of those of its households. */
export function findAt(
  meters: readonly PlacedMeter[],
  path: string,
): { readonly own: PlacedMeter | undefined; readonly below: readonly PlacedMeter[] } {
  let own: PlacedMeter | undefined
  const below: PlacedMeter[] = []
  for (let at = findStart(meters, path); at < meters.length; at += 1) {
    const meter = meters[at]
    if (!meter?.path.startsWith(path)) break
    const last = below.at(-1)
    if (meter.path === path) own = meter
    else if (last === undefined || !meter.path.startsWith(last.path)) below.push(meter)
  }
  return { own, below }
}
