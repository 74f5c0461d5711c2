import { setImmediate } from 'node:timers/promises'
import { isStale } from '@isotherm/contract/devices'
import { DOUBTFUL_QUALITY, quality } from '@isotherm/contract/metrics'
import type { Clock } from '../../platform/clock.ts'
import type { DeviceDirectory, DirectoryEntry } from '../devices/index.ts'
import type { LatestValues } from './latest-values.ts'
import { AT_ONCE, findRange, type OrderedDevices } from './ordered-devices.ts'
import type { Presence } from './presence.ts'

/** Devices below a place, and how many of them are silent or speak with values of bad quality. */
export interface DeviceCounts {
  readonly devCount: number
  readonly silentCount: number
  readonly badCount: number
}

export interface DeviceCountsNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById' | 'onPlaced'>
  readonly ordered: OrderedDevices
  readonly latest: Pick<LatestValues, 'find'>
  readonly presence: Pick<Presence, 'findLink'>
  readonly clock: Pick<Clock, 'now'>
}

/** How long a counting is kept once it is done. Counting 230,000 devices anew takes some 100 ms. */
const KEEP_MS = 3_000

type Condition = 'good' | 'silent' | 'bad'

/**
 * A device is silent when its newest reading is older than its own period allows, or when the concentrator it
 * speaks through said goodbye. A concentrator is silent by what it said of its link, and without a word of it
 * by the age of its own readings. What is not silent is bad when its newest values are doubtful.
 */
function toCondition(device: DirectoryEntry, needs: DeviceCountsNeeds, now: number): Condition {
  const isConcentrator = device.kind === 'concentrator'
  const link =
    isConcentrator || device.concentratorId !== undefined
      ? needs.presence.findLink(device.concentratorId ?? device.id)
      : undefined
  if (link === 'offline') return 'silent'
  const state = needs.latest.find(device.id)
  if (!state) return isConcentrator && link === 'online' ? 'good' : 'silent'
  const isLate = isStale(state.ts, device.periodS, now) || (state.quality & quality.stale) !== 0
  if (isLate && !(isConcentrator && link === 'online')) return 'silent'
  return (state.quality & DOUBTFUL_QUALITY) === 0 ? 'good' : 'bad'
}

/** The devices in order, and beside each position how many before it are silent or bad. */
interface Counted {
  readonly ordered: readonly DirectoryEntry[]
  readonly silent: Int32Array
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

  async function countAnew(now: number): Promise<Counted> {
    const devices = await needs.ordered.read()
    const silent = new Int32Array(devices.length + 1)
    const bad = new Int32Array(devices.length + 1)
    for (const [index, device] of devices.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
      // A device that changes where it stands gets a new entry, and the one in order stays.
      const condition = toCondition(directory.findById(device.id) ?? device, needs, now)
      silent[index + 1] = (silent[index] ?? 0) + Number(condition === 'silent')
      bad[index + 1] = (bad[index] ?? 0) + Number(condition === 'bad')
    }
    return { ordered: devices, silent, bad }
  }

  /** Counts, and from the start again when devices were placed meanwhile. */
  async function count(): Promise<Counted> {
    for (;;) {
      const placingsBefore = placings
      const counted = await countAnew(clock.now())
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
    const { ordered: devices, silent, bad } = await getCounted()
    return (path) => {
      const { start, end } = findRange(devices, path)
      const between = (sums: Int32Array): number => (sums[end] ?? 0) - (sums[start] ?? 0)
      return { devCount: end - start, silentCount: between(silent), badCount: between(bad) }
    }
  }
}
