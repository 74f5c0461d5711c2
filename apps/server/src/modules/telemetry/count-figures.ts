import { setImmediate } from 'node:timers/promises'
import { toDisjointPaths } from '../../platform/scope.ts'
import type { DirectoryEntry } from '../devices/index.ts'
import {
  type Condition,
  type Conditions,
  type ConditionsNeeds,
  toCondition,
  toConditionAt,
} from './device-counts.ts'
import { type CountedFigures, createFigureTally } from './figure-tally.ts'
import type { Count } from './kept-counting.ts'
import { AT_ONCE, findRange } from './ordered-devices.ts'

/** What is counted of the devices below paths, of each once. */
export type CountFigures = (paths: readonly string[]) => Promise<CountedFigures>

export interface CountFiguresNeeds extends ConditionsNeeds {
  readonly conditions: Count<Conditions>
}

/** Who looks at many devices is given figures up to so old while newer ones are counted, ms. */
const MAY_BE_MS = 30_000

/**
 * Few devices are looked at as they are now. Many are told of by the look at all devices that everybody shares, and
 * what is counted of the same places is counted once a look.
 */
export function createCountFigures(needs: CountFiguresNeeds): CountFigures {
  const kept = new WeakMap<Conditions, Map<string, Promise<CountedFigures>>>()

  async function count(
    devices: readonly DirectoryEntry[],
    paths: readonly string[],
    judge: (device: DirectoryEntry, at: number) => Condition,
  ): Promise<CountedFigures> {
    const tally = createFigureTally()
    let looked = 0
    for (const { start, end } of paths.map((path) => findRange(devices, path))) {
      for (let at = start; at < end; at += 1) {
        looked += 1
        if (looked % AT_ONCE === 0) await setImmediate()
        const device = devices[at]
        if (!device) continue
        const { id, kind } = device
        tally.add({ id, kind, condition: judge(device, at), metrics: needs.latest.find(id)?.metrics })
      }
    }
    return tally.read()
  }

  async function countMany(paths: readonly string[]): Promise<CountedFigures> {
    const look = await needs.conditions(MAY_BE_MS)
    const byPaths = kept.get(look) ?? new Map<string, Promise<CountedFigures>>()
    kept.set(look, byPaths)
    const key = paths.join()
    const counted = byPaths.get(key) ?? count(look.devices, paths, (_, at) => toConditionAt(look, at))
    byPaths.set(key, counted)
    return counted
  }

  return async (asked) => {
    const paths = toDisjointPaths(asked)
    const devices = await needs.ordered.read()
    const many = paths.reduce((sum, path) => {
      const { start, end } = findRange(devices, path)
      return sum + end - start
    }, 0)
    if (many > AT_ONCE) return countMany(paths)
    return count(devices, paths, (device) => toCondition(device, needs))
  }
}
