import type { Device } from '@isotherm/contract/devices'
import { getDataHisFromDevs, type Series } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { isMetricName, isReportedBy, type MetricName, metricNames } from '@isotherm/contract/metrics'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { type RangeKey, ranges } from './debug-url.ts'

/** Maximum number of metrics of one call, and of points of one metric. */
const MAX_METRICS = 16
const MAX_POINTS = 500

/** All values that a device reported at one instant. */
export interface ReadingRow {
  /** Unix ms. */
  readonly ts: number
  readonly quality: number
  readonly values: Readonly<Partial<Record<MetricName, number>>>
}

/** One row per instant, newest first: the values of all series at that instant. */
export function toReadingRows(series: readonly Series[]): readonly ReadingRow[] {
  const rows = new Map<number, ReadingRow>()
  for (const { metric, points } of series) {
    if (!isMetricName(metric)) continue
    for (const [ts, value, quality] of points) {
      const row = rows.get(ts)
      rows.set(ts, {
        ts,
        quality: (row?.quality ?? 0) | quality,
        values: { ...row?.values, [metric]: value },
      })
    }
  }
  return [...rows.values()].sort((left, right) => right.ts - left.ts)
}

/** Readings of a device in a range that ends now. */
export const readingsQuery = ({ id, kind }: Pick<Device, 'id' | 'kind'>, range: RangeKey) =>
  queryOptions({
    queryKey: ['devices', 'readings', id, range],
    queryFn: async ({ signal }) => {
      const to = readServerNow()
      const metrics = metricNames.filter((name) => isReportedBy(name, kind)).slice(0, MAX_METRICS)
      const input = { deviceIds: [id], metrics, from: to - ranges[range], to, maxPoints: MAX_POINTS }
      const { series } = await call(getDataHisFromDevs, input, { signal })
      return { rows: toReadingRows(series), isDownsampled: series.some(({ downsampled }) => downsampled) }
    },
  })
