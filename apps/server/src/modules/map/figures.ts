import { metrics } from '@isotherm/contract/metrics'
import type { MapFigures, MapMetric, MapValue } from '@isotherm/contract/network/map'
import { toDisjointPaths } from '../../platform/scope/scope.ts'
import { type DeviceCounts, type FindValue, type Telemetry, toHealth } from '../telemetry/index.ts'

/** Values and device counts of places and clusters. */
export interface Figures {
  of(path: string): MapFigures
  /** Figures of several places: mean of the means, minimum and maximum of all. Places below others are not counted twice. */
  sum(paths: readonly string[]): MapFigures
}

type Counts = Omit<DeviceCounts, 'unknownCount'>

const nothing: Counts = { devCount: 0, silentCount: 0, badCount: 0 }

const add = (left: Counts, right: Counts): Counts => ({
  devCount: left.devCount + right.devCount,
  silentCount: left.silentCount + right.silentCount,
  badCount: left.badCount + right.badCount,
})

const toCounts = ({ devCount, silentCount, badCount }: Counts) => ({
  health: toHealth({ devCount, silentCount, badCount }),
  devCount,
  silentCount,
  badCount,
})

function joinValues(values: readonly MapValue[], metric: MapMetric): MapValue | null {
  if (values.length === 0) return null
  const scale = 10 ** metrics[metric].decimals
  const mean = values.reduce((sum, value) => sum + value.mean, 0) / values.length
  return {
    mean: Math.round(mean * scale) / scale,
    low: values.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY),
    high: values.reduce((most, { high }) => Math.max(most, high), Number.NEGATIVE_INFINITY),
    count: values.reduce((sum, value) => sum + value.count, 0),
  }
}

/** Figures may be this old, ms, so that moving the map does not wait for new ones. */
export const MAX_AGE_MS = 30_000

/** Reads the current figures, with the values of a metric if one is requested. */
export async function openFigures(
  { openCounts, values }: Pick<Telemetry, 'openCounts' | 'values'>,
  metric: MapMetric | undefined,
): Promise<Figures> {
  const [count, find] = await Promise.all([
    openCounts(MAX_AGE_MS),
    metric === undefined ? (): ReturnType<FindValue> => undefined : values.open(metric, MAX_AGE_MS),
  ])
  return {
    of: (path) => ({ value: find(path) ?? null, ...toCounts(count(path)) }),
    sum(paths) {
      const tops = toDisjointPaths(paths)
      const found = tops.flatMap((path) => find(path) ?? [])
      return {
        value: metric === undefined ? null : joinValues(found, metric),
        ...toCounts(tops.map(count).reduce(add, nothing)),
      }
    },
  }
}
