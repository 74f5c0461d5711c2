import { setImmediate } from 'node:timers/promises'
import { DOUBTFUL_QUALITY, quality } from '@isotherm/contract/metrics'
import {
  DEVICES_PER_SLICE,
  type DirectoryEntry,
  findRange,
  type OrderedDevices,
} from '../../devices/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'
import type { PresenceWatch } from '../presence/presence-watch.ts'
import type { PresenceState } from '../presence/to-presence.ts'
import { type CachedCountingOptions, type Count, createCachedCounting } from './cached-counting.ts'

/** Number of devices below a node, and how many of them are silent or have values of bad quality. */
export interface DeviceCounts {
  readonly devCount: number
  readonly silentCount: number
  /** The silent devices whose state is unknown because their concentrator is silent. */
  readonly unknownCount: number
  readonly badCount: number
}

/** Sources of the condition of a device. */
export interface ConditionNeeds {
  readonly latest: Pick<LatestValues, 'qualityOf'>
  readonly presence: Pick<PresenceWatch, 'find'>
}

export type Condition = 'good' | 'silent' | 'unknown' | 'bad'

/** A device that is neither silent nor unknown is bad if its newest values are doubtful. */
export const toCondition = ({ id }: Pick<DirectoryEntry, 'id'>, needs: ConditionNeeds): Condition =>
  judge(id, needs.presence.find(id), needs)

function judge(
  id: number,
  state: PresenceState = 'silent',
  { latest }: Pick<ConditionNeeds, 'latest'>,
): Condition {
  if (state !== 'present') return state
  const bits = latest.qualityOf(id)
  if ((bits & quality.stale) !== 0) return 'silent'
  return (bits & DOUBTFUL_QUALITY) === 0 ? 'good' : 'bad'
}

/**
 * Devices in order of path, whether each is good, and running sums of silent, unknown and bad ones before each
 * position.
 */
export interface Conditions {
  readonly devices: readonly DirectoryEntry[]
  readonly good: Uint8Array
  readonly silent: Int32Array
  readonly unknown: Int32Array
  readonly bad: Int32Array
}

/** Condition of the device at a position. */
export function toConditionAt({ good, silent, unknown }: Conditions, at: number): Condition {
  const isOne = (sums: Int32Array): boolean => sums[at + 1] !== sums[at]
  if (good[at]) return 'good'
  if (isOne(unknown)) return 'unknown'
  return isOne(silent) ? 'silent' : 'bad'
}

export interface ConditionsNeeds extends CachedCountingOptions, ConditionNeeds {
  readonly ordered: OrderedDevices
  readonly latest: Pick<LatestValues, 'qualityOf' | 'open'>
  readonly presence: Pick<PresenceWatch, 'find' | 'lastNotified'>
}

/** Takes a snapshot of all devices. Counts by condition and by values start from it, so the devices are read once. */
export const createConditions = (needs: ConditionsNeeds): Count<Conditions> =>
  createCachedCounting(needs, async () => {
    const devices = await needs.ordered.read()
    const good = new Uint8Array(devices.length)
    const silent = new Int32Array(devices.length + 1)
    const unknown = new Int32Array(devices.length + 1)
    const bad = new Int32Array(devices.length + 1)
    for (const [index, { id }] of devices.entries()) {
      if (index % DEVICES_PER_SLICE === DEVICES_PER_SLICE - 1) await setImmediate()
      const condition = judge(id, needs.presence.lastNotified(id), needs)
      good[index] = Number(condition === 'good')
      silent[index + 1] = (silent[index] ?? 0) + Number(condition === 'silent' || condition === 'unknown')
      unknown[index + 1] = (unknown[index] ?? 0) + Number(condition === 'unknown')
      bad[index + 1] = (bad[index] ?? 0) + Number(condition === 'bad')
    }
    return { devices, good, silent, unknown, bad }
  })

/**
 * Counts devices by subtree. The devices are sorted by path, so a subtree is a range, and running sums give its counts:
 * a query costs two binary searches, whatever the size of the subtree.
 */
export const createDeviceCounts =
  (conditions: Count<Conditions>): Count<(path: string) => DeviceCounts> =>
  async (maxAgeMs) => {
    const { devices, silent, unknown, bad } = await conditions(maxAgeMs)
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
