import { setImmediate } from 'node:timers/promises'
import type { DeviceState } from '@isotherm/contract/devices'
import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { createIdColumn, type IdColumn } from '../../../platform/columns/id-column.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import { createMetricCells } from './metric-cells.ts'

/** Newest values of one device. `version` increases with every change of any device; clients use it to resume. */
export interface LatestState extends DeviceState {
  readonly version: number
  /** Instant of each metric's value: the metrics of a device may have different periods. */
  readonly instants: Readonly<Record<string, number>>
  /** Quality bits of the values that have any. */
  readonly qualities: Readonly<Record<string, number>>
}

export interface Absence {
  readonly deviceId: number
  readonly presence: 'present' | 'silent' | 'unknown'
}

/** Newest value of one metric, with its own instant (Unix ms): the metrics of a device may have different periods. */
export interface MetricReading {
  readonly value: number
  readonly ts: number
  /** Its quality bits (contract metrics.ts); 0 is good. */
  readonly quality: number
}

export interface LatestValues {
  /** A copy of the newest values of a device, which is built at each call; undefined if it never reported. */
  find(deviceId: number): LatestState | undefined
  findReading(deviceId: number, metric: string): MetricReading | undefined
  /** Instant of a device's newest values, Unix ms; 0 if it never reported. Fast, for loops over all devices. */
  instantOf(deviceId: number): number
  /** Version of a device's last change; 0 if it never reported. Fast, for loops over all devices. */
  versionOf(deviceId: number): number
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

/** Devices that are read before the event loop gets a turn. */
const DEVICES_PER_SLICE = 10_000

/** An absence is stored as an index of this list. */
const absences = [undefined, 'silent', 'unknown'] as const

/** Newest values in columns: an object for each device would take four times the memory, all of it in the collected heap. */
export function createLatestValues(): LatestValues {
  const cells = createMetricCells()
  const instants = createIdColumn(0)
  const qualities = createIdColumn(0, Uint32Array)
  const versions = createIdColumn(0)
  const absenceOf = createIdColumn(0, Uint8Array)
  const columns = new Map<MetricName, { readonly column: IdColumn; readonly filled: Promise<void> }>()
  let version = 0

  function find(deviceId: number): LatestState | undefined {
    if (cells.count(deviceId) === 0) return undefined
    const values: Record<string, number> = {}
    const at: Record<string, number> = {}
    const bits: Record<string, number> = {}
    for (const position of cells.list(deviceId)) {
      const metric = cells.metricAt(position)
      values[metric] = cells.valueAt(position)
      at[metric] = cells.instantAt(position)
      const ofValue = cells.qualityAt(position)
      if (ofValue !== 0) bits[metric] = ofValue
    }
    const absence = absences[absenceOf.get(deviceId)]
    return {
      deviceId,
      ts: instants.get(deviceId),
      quality: qualities.get(deviceId),
      version: versions.get(deviceId),
      metrics: values,
      instants: at,
      qualities: bits,
      ...(absence && { absence }),
    }
  }

  async function fill(column: IdColumn, metric: MetricName): Promise<void> {
    for (let id = 0; id <= cells.highestId(); id += 1) {
      if (id % DEVICES_PER_SLICE === 0) await setImmediate()
      const position = cells.find(id, metric)
      if (position >= 0) column.put(id, cells.valueAt(position))
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

  function applyUpdate({ deviceId, ts, quality, values }: LatestUpdate): boolean {
    let changed = false
    let bits = quality
    for (const { metric, value, quality: own } of values) {
      bits |= own
      const known = cells.find(deviceId, metric)
      if (known >= 0 && ts < cells.instantAt(known)) continue
      cells.put(known >= 0 ? known : cells.add(deviceId, metric), value, ts, quality | own)
      columns.get(metric)?.column.put(deviceId, value)
      changed = true
    }
    if (!changed) return false
    const newest = instants.get(deviceId)
    // Metrics of one instant may arrive separately. Then the quality bits of all of them count.
    if (ts === newest) qualities.put(deviceId, qualities.get(deviceId) | bits)
    else if (ts > newest) {
      instants.put(deviceId, ts)
      qualities.put(deviceId, bits)
    }
    return true
  }

  function touch(changed: ReadonlySet<number>): ReadonlySet<number> {
    if (changed.size > 0) version += 1
    for (const deviceId of changed) versions.put(deviceId, version)
    return changed
  }

  return {
    find,
    findReading(deviceId, metric) {
      const position = isMetricName(metric) ? cells.find(deviceId, metric) : -1
      if (position < 0) return undefined
      const [value, ts] = [cells.valueAt(position), cells.instantAt(position)]
      return { value, ts, quality: cells.qualityAt(position) }
    },
    instantOf: instants.get,
    versionOf: versions.get,
    qualityOf: qualities.get,
    open,
    version: () => version,
    *changedSince(since) {
      for (let id = 0; id <= cells.highestId(); id += 1) {
        const state = versions.get(id) > since ? find(id) : undefined
        if (state) yield state
      }
    },
    apply(updates) {
      const changed = new Set<number>()
      for (const update of updates) if (applyUpdate(update)) changed.add(update.deviceId)
      return touch(changed)
    },
    mark(changes) {
      const changed = new Set<number>()
      for (const { deviceId, presence } of changes) {
        const absence = presence === 'present' ? 0 : absences.indexOf(presence)
        if (cells.count(deviceId) === 0 || absenceOf.get(deviceId) === absence) continue
        absenceOf.put(deviceId, absence)
        changed.add(deviceId)
      }
      return touch(changed)
    },
  }
}
