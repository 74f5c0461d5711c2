import type { MapFigures, MapMetric, MapValue } from '@isotherm/contract/map'
import { metrics } from '@isotherm/contract/metrics'
import { toDisjointPaths } from '../../platform/scope/scope.ts'
import { type DeviceCounts, type FindValue, type Telemetry, toHealth } from '../telemetry/index.ts'

/** What places show, and clusters of them. */
export interface Figures {
  of(path: string): MapFigures
  /** Of several places: the mean of their means, and the extremes of all. What lies below another of them is in that. */
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

/** A map that is moved does not wait for figures that are no older than this, ms. */
export const MAY_BE_MS = 30_000

/** Figures as they are at present, with a metric if one is asked for. */
export async function openFigures(
  { openCounts, values }: Pick<Telemetry, 'openCounts' | 'values'>,
  metric: MapMetric | undefined,
): Promise<Figures> {
  const [count, find] = await Promise.all([
    openCounts(MAY_BE_MS),
    metric === undefined ? (): ReturnType<FindValue> => undefined : values.open(metric, MAY_BE_MS),
  ])
  return {
    of: (path) => ({ value: find(path) ?? null, ...toCounts(count(path)) }),
    sum(paths) {
      const tops = toDisjointPaths(paths)
      const told = tops.flatMap((path) => find(path) ?? [])
      return {
        value: metric === undefined ? null : joinValues(told, metric),
        ...toCounts(tops.map(count).reduce(add, nothing)),
      }
    },
  }
}
