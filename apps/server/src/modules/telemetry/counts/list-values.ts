import { setImmediate } from 'node:timers/promises'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { toDisjointPaths } from '../../../platform/scope/scope.ts'
import { DEVICES_PER_SLICE, type DeviceRange, type DirectoryEntry, findRange } from '../../devices/index.ts'
import type { Count } from './cached-counting.ts'
import {
  type Condition,
  type Conditions,
  type ConditionsNeeds,
  toCondition,
  toConditionAt,
} from './device-counts.ts'

/** A device with its newest value of a metric. */
export interface ListedValue {
  readonly device: DirectoryEntry
  readonly condition: Condition
  /** NaN if none is known. */
  readonly value: number
}

/** The devices of a kind below paths, each once, in order of path. */
export type ListValues = (
  paths: readonly string[],
  kind: DeviceKind,
  metric: MetricName,
) => Promise<readonly ListedValue[]>

/** Judges few devices as they are now, many by the snapshot of conditions that all queries share. */
export const createListValues =
  (needs: ConditionsNeeds & { readonly conditions: Count<Conditions> }): ListValues =>
  async (below, kind, metric) => {
    const paths = toDisjointPaths(below)
    const [now, column] = await Promise.all([needs.ordered.read(), needs.latest.open(metric)])
    const toRanges = (devices: readonly DirectoryEntry[]): readonly DeviceRange[] =>
      paths.map((path) => findRange(devices, path))
    const isLarge = toRanges(now).reduce((sum, { start, end }) => sum + end - start, 0) > DEVICES_PER_SLICE
    const snapshot = isLarge ? await needs.conditions() : undefined
    const devices = snapshot?.devices ?? now
    const found: ListedValue[] = []
    let seen = 0
    for (const { start, end } of toRanges(devices)) {
      for (let at = start; at < end; at += 1) {
        seen += 1
        if (seen % DEVICES_PER_SLICE === 0) await setImmediate()
        const device = devices[at]
        if (device?.kind !== kind) continue
        const condition = snapshot ? toConditionAt(snapshot, at) : toCondition(device, needs)
        found.push({ device, condition, value: column.get(device.id) })
      }
    }
    return found
  }
