import { setImmediate } from 'node:timers/promises'
import { toDisjointPaths } from '../../../platform/scope/scope.ts'
import { DEVICES_PER_SLICE, type DirectoryEntry, findRange } from '../../devices/index.ts'
import type { Count } from './cached-counting.ts'
import {
  type Condition,
  type Conditions,
  type ConditionsNeeds,
  toCondition,
  toConditionAt,
} from './device-counts.ts'
import { type CountedFigures, createFigureTally } from './figure-tally.ts'

/** Figures of the devices below paths; each device counts once. */
export type CountFigures = (paths: readonly string[]) => Promise<CountedFigures>

export interface CountFiguresNeeds extends ConditionsNeeds {
  readonly conditions: Count<Conditions>
}

/**
 * Figures of many devices are fresh for CACHE_MS, and are returned for up to MAX_AGE_MS while they are recounted, ms.
 */
const CACHE_MS = 3_000
const MAX_AGE_MS = 30_000

/** Figures of the same paths and the same order of devices. */
interface Cached {
  counted?: { readonly figures: CountedFigures; readonly at: number }
  counting?: Promise<CountedFigures>
}

/**
 * Counts few devices directly. For many devices it uses the snapshot of conditions that all queries share, and queries
 * for the same paths share the result.
 */
export function createCountFigures(needs: CountFiguresNeeds): CountFigures {
  /** By order of devices, which is a new array after a move, and by paths. */
  const cacheOf = new WeakMap<readonly DirectoryEntry[], Map<string, Cached>>()

  async function openColumns() {
    const [returns, rooms, power] = await Promise.all([
      needs.latest.open('temp.return'),
      needs.latest.open('temp.room'),
      needs.latest.open('heat.power'),
    ])
    return { 'temp.return': returns, 'temp.room': rooms, 'heat.power': power }
  }

  async function count(
    devices: readonly DirectoryEntry[],
    paths: readonly string[],
    judge: (device: DirectoryEntry, at: number) => Condition,
  ): Promise<CountedFigures> {
    const columns = await openColumns()
    const tally = createFigureTally((id, metric) => columns[metric].get(id))
    let seen = 0
    for (const { start, end } of paths.map((path) => findRange(devices, path))) {
      for (let at = start; at < end; at += 1) {
        seen += 1
        if (seen % DEVICES_PER_SLICE === 0) await setImmediate()
        const device = devices[at]
        if (!device) continue
        const { id, kind } = device
        tally.add({ id, kind, condition: judge(device, at) })
      }
    }
    return tally.read()
  }

  const ageOf = ({ counted }: Cached): number =>
    counted ? needs.clock.elapsed() - counted.at : Number.POSITIVE_INFINITY

  function findCached(devices: readonly DirectoryEntry[], paths: readonly string[]): Cached {
    const byPaths = cacheOf.get(devices) ?? new Map<string, Cached>()
    cacheOf.set(devices, byPaths)
    for (const [key, cached] of byPaths)
      if (!cached.counting && ageOf(cached) >= MAX_AGE_MS) byPaths.delete(key)
    const cached = byPaths.get(paths.join()) ?? {}
    byPaths.set(paths.join(), cached)
    return cached
  }

  async function recount(cached: Cached, paths: readonly string[]): Promise<CountedFigures> {
    // Without a cached result, the last snapshot is sufficient.
    const snapshot = await needs.conditions(cached.counted ? undefined : MAX_AGE_MS)
    const figures = await count(snapshot.devices, paths, (_, at) => toConditionAt(snapshot, at))
    cached.counted = { figures, at: needs.clock.elapsed() }
    return figures
  }

  async function countMany(cached: Cached, paths: readonly string[]): Promise<CountedFigures> {
    const { counted } = cached
    if (counted && ageOf(cached) < CACHE_MS) return counted.figures
    cached.counting ??= recount(cached, paths).finally(() => {
      delete cached.counting
    })
    if (!counted || ageOf(cached) >= MAX_AGE_MS) return cached.counting
    // Callers that need current data get the error.
    cached.counting.catch(() => undefined)
    return counted.figures
  }

  return async (below) => {
    const paths = toDisjointPaths(below)
    const devices = await needs.ordered.read()
    const many = paths.reduce((sum, path) => {
      const { start, end } = findRange(devices, path)
      return sum + end - start
    }, 0)
    if (many > DEVICES_PER_SLICE) return countMany(findCached(devices, paths), paths)
    return count(devices, paths, (device) => toCondition(device, needs))
  }
}
