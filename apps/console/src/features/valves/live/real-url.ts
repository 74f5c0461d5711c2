import { findKnown, pickKnown, toSearch } from '../../../shared/url/url-words.ts'
import {
  type Column,
  columns,
  type RowFilter,
  type RowQuery,
  rowFilters,
  type SortKey,
  sortKeys,
} from '../rows/row-query.ts'
import { type SectionMetric, sectionMetrics } from '../section/heat-scale.ts'
import { parseIds } from '../selection/id-list.ts'
import { loadIds, storeIds } from '../selection/stored-ids.ts'

/** The views of the valves. The default is a table, on a phone cards. */
export const realViews = ['table', 'cards', 'section'] as const
export type RealView = (typeof realViews)[number]

/** State of the live page in its address. `setIds`: valves in the set-opening drawer. `batch`: the batch sent there. */
export interface RealUrl extends RowQuery {
  readonly view: RealView | undefined
  /** Colour metric of the cross-section. */
  readonly colour: SectionMetric
  readonly hidden: readonly Column[]
  readonly selected: readonly number[]
  readonly setIds: readonly number[]
  /** The valve in the details drawer. */
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
    selected: loadIds(search.get('pick')),
    setIds: loadIds(search.get('set')),
    valve: parseIds(search.get('valve'))[0],
    batch: search.get('batch') ?? undefined,
  }
}

/** Query parameters of the state. Defaults are left out. */
export function toRealSearch(url: RealUrl): URLSearchParams {
  const sort = `${url.descending ? '-' : ''}${url.sort}`
  return toSearch({
    q: url.text,
    state: url.filter === 'all' ? '' : url.filter,
    sort: sort === 'address' ? '' : sort,
    view: url.view ?? '',
    by: url.colour === 'temp.return' ? '' : url.colour,
    hide: url.hidden.join(','),
    pick: storeIds(url.selected),
    set: storeIds(url.setIds),
    valve: url.valve === undefined ? '' : String(url.valve),
    batch: url.batch ?? '',
  })
}
