import { findKnown, pickKnown, toSearch } from '../../../shared/url-words.ts'
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
import { keepIds, recallIds } from '../selection/stored-ids.ts'

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
