import { setImmediate } from 'node:timers/promises'
import { toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { Count } from './cached-counting.ts'
import {
  type Condition,
  type Conditions,
  type ConditionsNeeds,
  toCondition,
  toConditionAt,
} from './device-counts.ts'
import { type CountedFigures, createFigureTally } from './figure-tally.ts'
import { AT_ONCE, findRange } from './ordered-devices.ts'

/** What is counted of the devices below paths, of each once. */
export type CountFigures = (paths: readonly string[]) => Promise<CountedFigures>

export interface CountFiguresNeeds extends ConditionsNeeds {
  readonly conditions: Count<Conditions>
}

/** Figures of many devices are kept for so long once they are counted, and given for longer while newer ones are, ms. */
const KEEP_MS = 3_000
const MAY_BE_MS = 30_000

/** Figures of the same places, of devices that stand where they stood. */
interface Kept {
  counted?: { readonly figures: CountedFigures; readonly at: number }
  counting?: Promise<CountedFigures>
}

/**
 * Few devices are looked at as they are now. Many are told of by the look at all devices that everybody shares, and
 * what is counted of the same places is shared too.
 */
export function createCountFigures(needs: CountFiguresNeeds): CountFigures {
  /** By devices in order, which are others when one was placed, and by paths. */
  const keptOf = new WeakMap<readonly DirectoryEntry[], Map<string, Kept>>()

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
    let looked = 0
    for (const { start, end } of paths.map((path) => findRange(devices, path))) {
      for (let at = start; at < end; at += 1) {
        looked += 1
        if (looked % AT_ONCE === 0) await setImmediate()
        const device = devices[at]
        if (!device) continue
        const { id, kind } = device
        tally.add({ id, kind, condition: judge(device, at) })
      }
    }
    return tally.read()
  }

  const ageOf = ({ counted }: Kept): number =>
    counted ? needs.clock.now() - counted.at : Number.POSITIVE_INFINITY

  function findKept(devices: readonly DirectoryEntry[], paths: readonly string[]): Kept {
    const byPaths = keptOf.get(devices) ?? new Map<string, Kept>()
    keptOf.set(devices, byPaths)
    for (const [key, kept] of byPaths) if (!kept.counting && ageOf(kept) >= MAY_BE_MS) byPaths.delete(key)
    const kept = byPaths.get(paths.join()) ?? {}
    byPaths.set(paths.join(), kept)
    return kept
  }

  async function countAnew(kept: Kept, paths: readonly string[]): Promise<CountedFigures> {
    // Who has nothing to show meanwhile is told by the last look.
    const look = await needs.conditions(kept.counted ? undefined : MAY_BE_MS)
    const figures = await count(look.devices, paths, (_, at) => toConditionAt(look, at))
    kept.counted = { figures, at: needs.clock.now() }
    return figures
  }

  async function countMany(kept: Kept, paths: readonly string[]): Promise<CountedFigures> {
    const { counted } = kept
    if (counted && ageOf(kept) < KEEP_MS) return counted.figures
    kept.counting ??= countAnew(kept, paths).finally(() => {
      delete kept.counting
    })
    if (!counted || ageOf(kept) >= MAY_BE_MS) return kept.counting
    // Whoever needs it as it is now is told of what fails.
    kept.counting.catch(() => undefined)
    return counted.figures
  }

  return async (asked) => {
    const paths = toDisjointPaths(asked)
    const devices = await needs.ordered.read()
    const many = paths.reduce((sum, path) => {
      const { start, end } = findRange(devices, path)
      return sum + end - start
    }, 0)
    if (many > AT_ONCE) return countMany(findKept(devices, paths), paths)
    return count(devices, paths, (device) => toCondition(device, needs))
  }
}
