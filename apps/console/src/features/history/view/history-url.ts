import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { findKnown, parseIds, pickKnown, toSearch } from '../../../shared/url/url-words.ts'
import { type HistoryRange, parseRange, toRangeText } from '../curves/history-range.ts'
import { historyMetrics } from '../devices/history-metrics.ts'

/** Maximum number of devices that one chart compares. */
export const MAX_COMPARED = 20

export const historyViews = ['chart', 'table'] as const
export type HistoryView = (typeof historyViews)[number]

/** State of a history page in its address. */
export interface HistoryUrl {
  readonly deviceIds: readonly number[]
  /** Kind of the devices that the picker lists. */
  readonly kind: DeviceKind
  /** Absent for the usual metrics of the chosen devices. */
  readonly metrics: readonly MetricName[] | undefined
  readonly range: HistoryRange
  readonly view: HistoryView
  /** Whether the chart also shows the year before. */
  readonly compare: boolean
}

export interface HistoryAddress {
  readonly parse: (search: URLSearchParams) => HistoryUrl
  readonly toSearch: (url: HistoryUrl) => URLSearchParams
}

/** How a history page writes its state in its address. `first`: kind of devices that it lists at first. */
export const createHistoryAddress = (first: DeviceKind): HistoryAddress => ({
  parse(search) {
    const metrics = pickKnown(search.get('metrics'), historyMetrics)
    return {
      deviceIds: parseIds(search.get('devices')).slice(0, MAX_COMPARED),
      kind: findKnown(search.get('kind'), deviceKind.options) ?? first,
      metrics: metrics.length > 0 ? metrics : undefined,
      range: parseRange(search.get('range')),
      view: findKnown(search.get('view'), historyViews) ?? 'chart',
      compare: search.get('compare') === '1',
    }
  },
  toSearch(url) {
    const range = toRangeText(url.range)
    return toSearch({
      devices: url.deviceIds.join(','),
      kind: url.kind === first ? '' : url.kind,
      metrics: url.metrics?.join(',') ?? '',
      range: range === '1h' ? '' : range,
      view: url.view === 'chart' ? '' : url.view,
      compare: url.compare ? '1' : '',
    })
  },
})
