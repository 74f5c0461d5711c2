import { setImmediate } from 'node:timers/promises'
import { DOUBTFUL_QUALITY, quality } from '@isotherm/contract/metrics'
import type { DeviceDirectory, DirectoryEntry } from '../devices/index.ts'
import { type Count, createKeptCounting, type KeptCountingNeeds } from './kept-counting.ts'
import type { LatestValues } from './latest-values.ts'
import { AT_ONCE, findRange } from './ordered-devices.ts'
import type { PresenceWatch } from './presence-watch.ts'

/** Devices below a place, and how many of them are silent or speak with values of bad quality. */
export interface DeviceCounts {
  readonly devCount: number
  readonly silentCount: number
  /** Of the silent ones those whose concentrator is silent, so that nobody can tell. */
  readonly unknownCount: number
  readonly badCount: number
}

/** Where the state of a device is known from. */
export interface ConditionNeeds {
  readonly latest: Pick<LatestValues, 'find'>
  readonly presence: Pick<PresenceWatch, 'find'>
}

export interface DeviceCountsNeeds extends KeptCountingNeeds, ConditionNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'onPlaced'>
}

type Condition = 'good' | 'silent' | 'unknown' | 'bad'

/** What is neither silent nor unknown is bad when its newest values are doubtful. */
export function toCondition(device: Pick<DirectoryEntry, 'id'>, needs: ConditionNeeds): Condition {
  const presence = needs.presence.find(device.id) ?? 'silent'
  if (presence !== 'present') return presence
  const bits = needs.latest.find(device.id)?.quality ?? 0
  if ((bits & quality.stale) !== 0) return 'silent'
  return (bits & DOUBTFUL_QUALITY) === 0 ? 'good' : 'bad'
}

/** The devices in order, and beside each position how many before it are silent or bad. */
interface Counted {
  readonly ordered: readonly DirectoryEntry[]
  readonly silent: Int32Array
  readonly unknown: Int32Array
  readonly bad: Int32Array
}

/**
 * Counts devices by subtree. All devices stand ordered by path, so that a subtree is a range, beside running
 * sums: a question costs two searches, whatever the size of the subtree.
 */
export function createDeviceCounts(needs: DeviceCountsNeeds): Count<(path: string) => DeviceCounts> {
  const { directory } = needs

  async function count(devices: readonly DirectoryEntry[]): Promise<Counted> {
    const silent = new Int32Array(devices.length + 1)
    const unknown = new Int32Array(devices.length + 1)
    const bad = new Int32Array(devices.length + 1)
    for (const [index, device] of devices.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
      // A device that changes where it stands gets a new entry, and the one in order stays.
      const condition = toCondition(directory.findById(device.id) ?? device, needs)
      silent[index + 1] = (silent[index] ?? 0) + Number(condition === 'silent' || condition === 'unknown')
      unknown[index + 1] = (unknown[index] ?? 0) + Number(condition === 'unknown')
      bad[index + 1] = (bad[index] ?? 0) + Number(condition === 'bad')
    }
    return { ordered: devices, silent, unknown, bad }
  }

  const getCounted = createKeptCounting(needs, count)

  return async (mayBeMs) => {
    const { ordered: devices, silent, unknown, bad } = await getCounted(mayBeMs)
    return (path) => {
      const { start, end } = findRange(devices, path)
      const between = (sums: Int32Array): number => (sums[end] ?? 0) - (sums[start] ?? 0)
      return {
        devCount: end - start,
        silentCount: between(silent),
        unknownCount: between(unknown),
        badCount: between(bad),
      }
    }
  }
}
