import { setImmediate } from 'node:timers/promises'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import type { MapValue } from '@isotherm/contract/network/map'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'
import { type Count, createCachedCounting } from './cached-counting.ts'
import { type Conditions, type ConditionsNeeds, toCondition } from './device-counts.ts'
import { AT_ONCE, type DeviceRange, findOwnRange, findRange } from './ordered-devices.ts'

/** What a metric is at the node of a path, undefined when nobody tells. */
export type FindValue = (path: string) => MapValue | undefined

/** What metrics are at nodes at present, of devices that speak and are believed. */
export interface MetricValues {
  /**
   * Of one metric at many nodes: the devices are looked through once, and not again for some seconds. Who can do with
   * values up to `mayBeMs` old need not wait for newer ones.
   */
  open(metric: MetricName, mayBeMs?: number): Promise<FindValue>
  /** Of several metrics at one node; those nobody tells are not in it. Of one with many devices as `open` has it. */
  read(
    path: string,
    names: readonly MetricName[],
    mayBeMs?: number,
  ): Promise<ReadonlyMap<MetricName, MapValue>>
}

type Column = Awaited<ReturnType<LatestValues['open']>>

export interface MetricValuesNeeds extends ConditionsNeeds {
  readonly conditions: Count<Conditions>
}

/** Values by position, summed up; undefined when there are none. */
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
  /** What a metric keeps of a million devices is 4 MB. */
  const opened = new Map<MetricName, Count<FindValue>>()

  /** undefined for a device that is silent, is not believed or does not report the metric. */
  function findValue(device: DirectoryEntry | undefined, column: Column): number | undefined {
    if (!device) return undefined
    const value = column.get(device.id)
    return !Number.isNaN(value) && toCondition(device, needs) === 'good' ? value : undefined
  }

  function createOpen(metric: MetricName): Count<FindValue> {
    return createCachedCounting(needs, async (mayBeMs) => {
      const [{ devices, good }, column] = await Promise.all([
        needs.conditions(mayBeMs),
        needs.latest.open(metric),
      ])
      const values = new Float32Array(devices.length).fill(Number.NaN)
      for (const [index, { id }] of devices.entries()) {
        if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
        if (good[index]) values[index] = column.get(id)
      }
      const sum = (range: DeviceRange) => sumUp(range, metric, (at) => values[at])
      return (path) => sum(findOwnRange(devices, path)) ?? sum(findRange(devices, path))
    })
  }

  function open(metric: MetricName, mayBeMs?: number): Promise<FindValue> {
    const known = opened.get(metric) ?? createOpen(metric)
    opened.set(metric, known)
    return known(mayBeMs)
  }

  /** Looks at the devices of one node alone, as they are now. */
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
    async read(path, names, mayBeMs) {
      const devices = await needs.ordered.read()
      const { start, end } = findRange(devices, path)
      const found = new Map<MetricName, MapValue>()
      for (const metric of names) {
        const value =
          end - start > AT_ONCE ? (await open(metric, mayBeMs))(path) : await findNow(devices, path, metric)
        if (value) found.set(metric, value)
        await setImmediate()
      }
      return found
    },
  }
}
