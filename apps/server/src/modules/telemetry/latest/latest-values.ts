import { setImmediate } from 'node:timers/promises'
import type { DeviceState } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import type { LatestUpdate } from '../messages/latest-update.ts'
import { createIdColumn, type IdColumn } from './id-column.ts'

/** Newest values of one device. `version` increases with every change of any device; clients use it to resume. */
export interface LatestState extends DeviceState {
  readonly version: number
  /** Instant of each metric's value: the metrics of a device may have different periods. */
  readonly instants: Readonly<Record<string, number>>
}

interface StoredState {
  deviceId: number
  ts: number
  quality: number
  version: number
  metrics: Record<string, number>
  instants: Record<string, number>
  absence?: 'silent' | 'unknown'
}

export interface Absence {
  readonly deviceId: number
  readonly presence: 'present' | 'silent' | 'unknown'
}

/** Newest value of one metric, with its own instant (Unix ms): the metrics of a device may have different periods. */
export interface MetricReading {
  readonly value: number
  readonly ts: number
}

export interface LatestValues {
  find(deviceId: number): LatestState | undefined
  findReading(deviceId: number, metric: string): MetricReading | undefined
  /** Quality bits of a device's newest values; 0 if it has none. Fast, for loops over all devices. */
  qualityOf(deviceId: number): number
  /**
   * Newest values of one metric for all devices, updated continuously. Fast, for loops over all devices; the first call
   * per metric takes longer.
   */
  open(metric: MetricName): Promise<Pick<IdColumn, 'get'>>
  /** Version of the last change. */
  version(): number
  /** States that changed after a version, and those that change while they are read. */
  changedSince(version: number): Iterable<LatestState>
  /** Applies values that are newer than the known ones. Returns the ids of the devices that changed. */
  apply(updates: Iterable<LatestUpdate>): ReadonlySet<number>
  /** Notes devices that stopped or started to report. Returns the ids of those that have values. */
  mark(changes: Iterable<Absence>): ReadonlySet<number>
}

/** States that are read before the event loop gets a turn. */
const STATES_PER_SLICE = 10_000

export function createLatestValues(): LatestValues {
  const states = new Map<number, StoredState>()
  const qualities = createIdColumn()
  const columns = new Map<MetricName, { readonly column: IdColumn; readonly filled: Promise<void> }>()
  let version = 0

  function getStored(deviceId: number): StoredState {
    const known = states.get(deviceId)
    if (known) return known
    const stored = { deviceId, ts: 0, quality: 0, version: 0, metrics: {}, instants: {} }
    states.set(deviceId, stored)
    return stored
  }

  async function fill(column: IdColumn, metric: MetricName): Promise<void> {
    let scanned = 0
    for (const { deviceId, metrics } of states.values()) {
      scanned += 1
      if (scanned % STATES_PER_SLICE === 0) await setImmediate()
      const value = metrics[metric]
      if (value !== undefined) column.put(deviceId, value)
    }
  }

  async function open(metric: MetricName): Promise<IdColumn> {
    let opened = columns.get(metric)
    if (!opened) {
      // Values that arrive while the column is filled are also put into it.
      const column = createIdColumn()
      opened = { column, filled: fill(column, metric) }
      columns.set(metric, opened)
    }
    await opened.filled
    return opened.column
  }

  function applyUpdate(update: LatestUpdate): boolean {
    const stored = getStored(update.deviceId)
    let changed = false
    let bits = update.quality
    for (const { metric, value, quality } of update.values) {
      bits |= quality
      if (update.ts < (stored.instants[metric] ?? 0)) continue
      stored.metrics[metric] = value
      columns.get(metric)?.column.put(update.deviceId, value)
      stored.instants[metric] = update.ts
      changed = true
    }
    if (!changed) return false
    // Metrics of one instant may arrive separately. Then the quality bits of all of them count.
    if (update.ts === stored.ts) stored.quality |= bits
    else if (update.ts > stored.ts) {
      stored.ts = update.ts
      stored.quality = bits
    }
    qualities.put(update.deviceId, stored.quality)
    return true
  }

  function touch(changed: ReadonlySet<number>): ReadonlySet<number> {
    if (changed.size > 0) version += 1
    for (const deviceId of changed) getStored(deviceId).version = version
    return changed
  }

  return {
    find: (deviceId) => states.get(deviceId),
    findReading(deviceId, metric) {
      const state = states.get(deviceId)
      const value = state?.metrics[metric]
      const ts = state?.instants[metric]
      return value === undefined || ts === undefined ? undefined : { value, ts }
    },
    qualityOf: (deviceId) => qualities.get(deviceId) || 0,
    open,
    version: () => version,
    *changedSince(since) {
      for (const state of states.values()) if (state.version > since) yield state
    },
    apply(updates) {
      const changed = new Set<number>()
      for (const update of updates) if (applyUpdate(update)) changed.add(update.deviceId)
      return touch(changed)
    },
    mark(changes) {
      const changed = new Set<number>()
      for (const { deviceId, presence } of changes) {
        const stored = states.get(deviceId)
        const absence = presence === 'present' ? undefined : presence
        if (!stored || stored.absence === absence) continue
        if (absence === undefined) delete stored.absence
        else stored.absence = absence
        changed.add(deviceId)
      }
      return touch(changed)
    },
  }
}
