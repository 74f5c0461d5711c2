import type { MetricName } from '@isotherm/contract/metrics'
import { findKnown, pickKnown, toSearch } from '../../shared/url-words.ts'
import { historyMetrics } from './history-metrics.ts'
import { type HistoryRange, parseRange, toRangeText } from './history-range.ts'
import { parseIds } from './id-list.ts'
import { keepIds, recallIds } from './kept-ids.ts'
import {
  type Column,
  columns,
  type RowFilter,
  type RowQuery,
  rowFilters,
  type SortKey,
  sortKeys,
} from './row-query.ts'
import { type SectionMetric, sectionMetrics } from './section/heat-scale.ts'

/** How the valves are shown; without a choice a table where there is room for one, else cards. */
export const realViews = ['table', 'cards', 'section'] as const
export type RealView = (typeof realViews)[number]

/** What fmreal keeps in its address: `setIds` are the valves in the open drawer, `batch` what was sent there. */
export interface RealUrl extends RowQuery {
  readonly view: RealView | undefined
  /** What the cross-section is coloured by. */
  readonly colour: SectionMetric
  readonly hidden: readonly Column[]
  readonly selected: readonly number[]
  readonly setIds: readonly number[]
  /** The valve all of which is shown beside the list. */
  readonly valve: number | undefined
  readonly batch: string | undefined
}

export function parseRealUrl(search: URLSearchParams): RealUrl {
  const sort = search.get('sort') ?? ''
  const descending = sort.startsWith('-')
  return {
    text: search.get('q') ?? '',
    filter: findKnown<RowFilter>(search.get('state'), rowFilters) ?? 'all',
    sort: findKnown<SortKey>(descending ? sort.slice(1) : sort, sortKeys) ?? 'address',
    descending,
    view: findKnown(search.get('view'), realViews),
    colour: findKnown(search.get('by'), sectionMetrics) ?? 'temp.return',
    hidden: pickKnown(search.get('hide'), columns),
    selected: recallIds(search.get('pick')),
    setIds: recallIds(search.get('set')),
    valve: parseIds(search.get('valve'))[0],
    batch: search.get('batch') ?? undefined,
  }
}

/** Leaves out what is at its default, so that a plain page has a plain address. */
export function toRealSearch(url: RealUrl): URLSearchParams {
  const sort = `${url.descending ? '-' : ''}${url.sort}`
  return toSearch({
    q: url.text,
    state: url.filter === 'all' ? '' : url.filter,
    sort: sort === 'address' ? '' : sort,
    view: url.view ?? '',
    by: url.colour === 'temp.return' ? '' : url.colour,
    hide: url.hidden.join(','),
    pick: keepIds(url.selected),
    set: keepIds(url.setIds),
    valve: url.valve === undefined ? '' : String(url.valve),
    batch: url.batch ?? '',
  })
}

/** Most valves one chart compares. */
export const MAX_COMPARED = 4

const defaultMetrics: readonly MetricName[] = ['valve.opening', 'temp.supply', 'temp.return', 'heat.flow']

export const historyViews = ['chart', 'table'] as const
export type HistoryView = (typeof historyViews)[number]

export interface HistoryUrl {
  readonly deviceIds: readonly number[]
  readonly metrics: readonly MetricName[]
  readonly range: HistoryRange
  readonly view: HistoryView
  /** Whether the chart shows the year before too. */
  readonly compare: boolean
}

export function parseHistoryUrl(search: URLSearchParams): HistoryUrl {
  const metrics = pickKnown(search.get('metrics'), historyMetrics)
  return {
    deviceIds: recallIds(search.get('devices')).slice(0, MAX_COMPARED),
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
    devices: keepIds(url.deviceIds),
    metrics: metrics === defaultMetrics.join(',') ? '' : metrics,
    range: range === '1h' ? '' : range,
    view: url.view === 'chart' ? '' : url.view,
    compare: url.compare ? '1' : '',
  })
}

/** What the lower part of the control page lists. */
export const controlLists = ['batches', 'log', 'holds'] as const
export type ControlList = (typeof controlLists)[number]

export interface ControlUrl {
  readonly deviceIds: readonly number[]
  readonly batch: string | undefined
  readonly list: ControlList
  /** Whether the limits of the node in use are shown beside the page. */
  readonly limits: boolean
  /** Page of that list, from 1. */
  readonly page: number
}

export function parseControlUrl(search: URLSearchParams): ControlUrl {
  const page = Number(search.get('page'))
  return {
    deviceIds: recallIds(search.get('devices')),
    batch: search.get('batch') ?? undefined,
    list: findKnown(search.get('list'), controlLists) ?? 'batches',
    limits: search.get('limits') === '1',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

export const toControlSearch = (url: ControlUrl): URLSearchParams =>
  toSearch({
    devices: keepIds(url.deviceIds),
    batch: url.batch ?? '',
    list: url.list === 'batches' ? '' : url.list,
    limits: url.limits ? '1' : '',
    page: url.page === 1 ? '' : String(url.page),
  })
