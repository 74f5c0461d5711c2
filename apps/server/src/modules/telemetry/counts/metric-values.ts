import { setImmediate } from 'node:timers/promises'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import type { MapValue } from '@isotherm/contract/network/map'
import {
  DEVICES_PER_SLICE,
  type DeviceRange,
  type DirectoryEntry,
  findOwnRange,
  findRange,
} from '../../devices/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'
import { type Count, createCachedCounting } from './cached-counting.ts'
import { type Conditions, type ConditionsNeeds, toCondition } from './device-counts.ts'

/** Value of a metric at the node with this path; undefined if no device reports it. */
export type FindValue = (path: string) => MapValue | undefined

/** Current values of metrics at nodes, from devices in good condition. */
export interface MetricValues {
  /**
   * One metric at many nodes. The devices are read once, and the result is cached for some seconds. `maxAgeMs`:
   * greatest age that the caller accepts.
   */
  open(metric: MetricName, maxAgeMs?: number): Promise<FindValue>
  /**
   * Several metrics at one node. Metrics without a value are left out. If the node has many devices, works like `open`.
   */
  read(
    path: string,
    names: readonly MetricName[],
    maxAgeMs?: number,
  ): Promise<ReadonlyMap<MetricName, MapValue>>
}

type Column = Awaited<ReturnType<LatestValues['open']>>

export interface MetricValuesNeeds extends ConditionsNeeds {
  readonly conditions: Count<Conditions>
}

/** Mean, lowest and highest of the values in a range; undefined if there are none. */
function sumUp(
  { start, end }: DeviceRange,
  metric: MetricName,
  valueAt: (position: number) => number | undefined,
): MapValue | undefined {
  let [sum, count, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = start; at < end; at += 1) {
    const value = valueAt(at)
    if (value === undefined || Number.isNaN(value)) continue
    sum += value
    count += 1
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (count === 0) return undefined
  const scale = 10 ** metrics[metric].decimals
  const round = (value: number): number => Math.round(value * scale) / scale
  return { mean: round(sum / count), low: round(low), high: round(high), count }
}

export function createMetricValues(needs: MetricValuesNeeds): MetricValues {
  /** 4 MB per metric for a million devices. */
  const opened = new Map<MetricName, Count<FindValue>>()

  /** Undefined if the device is not in good condition or does not report the metric. */
  function findValue(device: DirectoryEntry | undefined, column: Column): number | undefined {
    if (!device) return undefined
    const value = column.get(device.id)
    return !Number.isNaN(value) && toCondition(device, needs) === 'good' ? value : undefined
  }

  function createOpen(metric: MetricName): Count<FindValue> {
    return createCachedCounting(needs, async (maxAgeMs) => {
      const [{ devices, good }, column] = await Promise.all([
        needs.conditions(maxAgeMs),
        needs.latest.open(metric),
      ])
      const values = new Float32Array(devices.length).fill(Number.NaN)
      for (const [index, { id }] of devices.entries()) {
        if (index % DEVICES_PER_SLICE === DEVICES_PER_SLICE - 1) await setImmediate()
        if (good[index]) values[index] = column.get(id)
      }
      const sum = (range: DeviceRange) => sumUp(range, metric, (at) => values[at])
      return (path) => sum(findOwnRange(devices, path)) ?? sum(findRange(devices, path))
    })
  }

  function open(metric: MetricName, maxAgeMs?: number): Promise<FindValue> {
    const known = opened.get(metric) ?? createOpen(metric)
    opened.set(metric, known)
    return known(maxAgeMs)
  }

  /** Reads only the devices of one node, as they are now. */
  async function findNow(
    devices: readonly DirectoryEntry[],
    path: string,
    metric: MetricName,
  ): Promise<MapValue | undefined> {
    const column = await needs.latest.open(metric)
    const sum = (range: DeviceRange) => sumUp(range, metric, (at) => findValue(devices[at], column))
    return sum(findOwnRange(devices, path)) ?? sum(findRange(devices, path))
  }

  return {
    open,
    async read(path, names, maxAgeMs) {
      const devices = await needs.ordered.read()
      const { start, end } = findRange(devices, path)
      const found = new Map<MetricName, MapValue>()
      for (const metric of names) {
        const value =
          end - start > DEVICES_PER_SLICE
            ? (await open(metric, maxAgeMs))(path)
            : await findNow(devices, path, metric)
        if (value) found.set(metric, value)
        await setImmediate()
      }
      return found
    },
  }
}
