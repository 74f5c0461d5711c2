import type { MetricName } from '@isotherm/contract/metrics'
import { findKnown, pickKnown, toSearch } from '../../../shared/url/url-words.ts'
import { type HistoryRange, parseRange, toRangeText } from '../curves/history-range.ts'
import { historyMetrics } from '../rows/valve-metrics.ts'
import { loadIds, storeIds } from '../selection/stored-ids.ts'

/** Maximum number of valves that one chart compares. */
export const MAX_COMPARED = 4

const defaultMetrics: readonly MetricName[] = ['valve.opening', 'temp.supply', 'temp.return', 'heat.flow']

export const historyViews = ['chart', 'table'] as const
export type HistoryView = (typeof historyViews)[number]

/** State of the history page in its address. */
export interface HistoryUrl {
  readonly deviceIds: readonly number[]
  readonly metrics: readonly MetricName[]
  readonly range: HistoryRange
  readonly view: HistoryView
  /** Whether the chart also shows the year before. */
  readonly compare: boolean
}

export function parseHistoryUrl(search: URLSearchParams): HistoryUrl {
  const metrics = pickKnown(search.get('metrics'), historyMetrics)
  return {
    deviceIds: loadIds(search.get('devices')).slice(0, MAX_COMPARED),
    metrics: metrics.length > 0 ? metrics : defaultMetrics,
    range: parseRange(search.get('range')),
    view: findKnown(search.get('view'), historyViews) ?? 'chart',
    compare: search.get('compare') === '1',
  }
}

export function toHistorySearch(url: HistoryUrl): URLSearchParams {
  const metrics = url.metrics.join(',')
  const range = toRangeText(url.range)
  return toSearch({
    devices: storeIds(url.deviceIds),
    metrics: metrics === defaultMetrics.join(',') ? '' : metrics,
    range: range === '1h' ? '' : range,
    view: url.view === 'chart' ? '' : url.view,
    compare: url.compare ? '1' : '',
  })
}
