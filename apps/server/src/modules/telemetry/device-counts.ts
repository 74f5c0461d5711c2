import { setImmediate } from 'node:timers/promises'
import { DOUBTFUL_QUALITY, quality } from '@isotherm/contract/metrics'
import type { Clock } from '../../platform/clock.ts'
import type { DeviceDirectory, DirectoryEntry } from '../devices/index.ts'
import type { LatestValues } from './latest-values.ts'
import { AT_ONCE, findRange, type OrderedDevices } from './ordered-devices.ts'
import type { PresenceWatch } from './presence-watch.ts'

/** Devices below a place, and how many of them are silent or speak with values of bad quality. */
export interface DeviceCounts {
  readonly devCount: number
  readonly silentCount: number
  /** Of the silent ones those whose concentrator is silent, so that nobody can tell. */
  readonly unknownCount: number
  readonly badCount: number
}

export interface DeviceCountsNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'onPlaced'>
  readonly ordered: OrderedDevices
  readonly latest: Pick<LatestValues, 'find'>
  readonly presence: Pick<PresenceWatch, 'find'>
  readonly clock: Pick<Clock, 'now'>
}

/** How long a counting is kept once it is done. Counting 230,000 devices anew takes some 100 ms. */
const KEEP_MS = 3_000

type Condition = 'good' | 'silent' | 'unknown' | 'bad'

/** What is neither silent nor unknown is bad when its newest values are doubtful. */
function toCondition(device: DirectoryEntry, needs: DeviceCountsNeeds): Condition {
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
export function createDeviceCounts(needs: DeviceCountsNeeds): () => Promise<(path: string) => DeviceCounts> {
  const { directory, clock } = needs
  let kept: { readonly counted: Counted; readonly at: number } | undefined
  let counting: Promise<Counted> | undefined
  let placings = 0
  // Paths asked for are those of today: sums over where devices stood before would say that nothing is there.
  directory.onPlaced(() => {
    placings += 1
    kept = undefined
  })

  async function countAnew(): Promise<Counted> {
    const devices = await needs.ordered.read()
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

  /** Counts, and from the start again when devices were placed meanwhile. */
  async function count(): Promise<Counted> {
    for (;;) {
      const placingsBefore = placings
      const counted = await countAnew()
      if (placings === placingsBefore) {
        kept = { counted, at: clock.now() }
        return counted
      }
    }
  }

  /** One counting at a time; who asks meanwhile waits for it. */
  async function getCounted(): Promise<Counted> {
    if (kept && clock.now() - kept.at < KEEP_MS) return kept.counted
    counting ??= count().finally(() => {
      counting = undefined
    })
    return counting
  }

  return async () => {
    const { ordered: devices, silent, unknown, bad } = await getCounted()
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
