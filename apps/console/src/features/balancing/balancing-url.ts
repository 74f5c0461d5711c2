import type { NodeKey } from '@isotherm/contract/tree'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { toSelectionMark } from '../../shared/nodes/tree-selection.ts'
import { findKnown, parseIds, toSearch } from '../../shared/url/url-words.ts'
import { type CellMetric, cellMetrics } from './cell-metric.ts'
import { type ValveFilter, type ValveSort, valveFilters, valveSorts } from './indices/valve-query.ts'
import { type TrendRange, trendRanges } from './trend/trend-range.ts'

/** State of a balancing page in its address. */
export interface BalancingUrl {
  /** Id of the shown campaign. */
  readonly campaign: number | undefined
  /** Id of the shown strategy. With `isForm` its form is open; without a strategy the form is for a new one. */
  readonly strategy: number | undefined
  readonly isForm: boolean
  /** The station chosen on the page, and the selection of the tree at that time. */
  readonly at: NodeKey | undefined
  readonly of: string
  readonly range: TrendRange | undefined
  /** Metric that colours the sections; default: the metric of the page. */
  readonly by: CellMetric | undefined
  readonly text: string
  readonly filter: ValveFilter
  readonly sort: ValveSort
  readonly descending: boolean
  /** Id of the valve with open details. */
  readonly valve: number | undefined
}

export function parseBalancingUrl(search: URLSearchParams): BalancingUrl {
  const sort = search.get('sort') ?? ''
  const descending = sort.startsWith('-')
  return {
    campaign: parseIds(search.get('campaign'))[0],
    strategy: parseIds(search.get('strategy'))[0],
    isForm: search.get('form') === '1',
    at: search.get('at') ?? undefined,
    of: search.get('of') ?? '',
    range: findKnown(search.get('range'), trendRanges),
    by: findKnown(search.get('by'), cellMetrics),
    text: search.get('q') ?? '',
    filter: findKnown(search.get('show'), valveFilters) ?? 'all',
    sort: findKnown(descending ? sort.slice(1) : sort, valveSorts) ?? 'place',
    descending,
    valve: parseIds(search.get('valve'))[0],
  }
}

export const toBalancingSearch = (url: BalancingUrl): URLSearchParams =>
  toSearch({
    campaign: url.campaign === undefined ? '' : String(url.campaign),
    strategy: url.strategy === undefined ? '' : String(url.strategy),
    form: url.isForm ? '1' : '',
    at: url.at ?? '',
    of: url.at === undefined ? '' : url.of,
    range: url.range ?? '',
    by: url.by ?? '',
    q: url.text,
    show: url.filter === 'all' ? '' : url.filter,
    sort: url.sort === 'place' && !url.descending ? '' : `${url.descending ? '-' : ''}${url.sort}`,
    valve: url.valve === undefined ? '' : String(url.valve),
  })

/** The single node of the page: the chosen station, else the selected node; undefined for several. */
export function findPlaceNode(
  nodes: readonly NodeKey[],
  { at, of }: Pick<BalancingUrl, 'at' | 'of'>,
): NodeKey | undefined {
  if (at !== undefined && of === toSelectionMark(nodes)) return at
  return nodes.length > 1 ? undefined : (nodes[0] ?? ROOT_KEY)
}
