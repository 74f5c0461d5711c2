import { isMetricName, type MetricName, metrics } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'

/** Throws request.malformed for an empty range, and history.range-too-large for a range that is too long. */
export function checkRange(
  { from, to }: { readonly from: number; readonly to: number },
  maxDays: number,
): void {
  if (to <= from) throw new AppError('request.malformed', { detail: 'to: must be after from' })
  if (to - from > maxDays * DAY_MS) throw new AppError('history.range-too-large', { maxDays })
}

/** Throws request.malformed for an unknown metric. */
export function toMetricName(name: string): MetricName {
  if (isMetricName(name)) return name
  throw new AppError('request.malformed', { detail: `metrics: ${name} is not a metric` })
}

/** Ids of metrics without duplicates. */
export const toMetricIds = (names: readonly string[]): number[] =>
  [...new Set(names)].map((name) => metrics[toMetricName(name)].id)
