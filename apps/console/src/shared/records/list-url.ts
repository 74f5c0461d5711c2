import { findKnown, toSearch } from '../url/url-words.ts'

/** State of a page of records in its address. */
export interface ListUrl {
  readonly text: string
  /** Chosen value of each filter, by its name; absent if the filter is not set. */
  readonly filters: Readonly<Record<string, string>>
  /** Key of the sorted column; absent for the order of the server. */
  readonly sort: string | undefined
  readonly descending: boolean
  /** Page of a list that the server pages, from 1. */
  readonly page: number
  /** Keys of the selected records. */
  readonly picked: readonly string[]
  /** Key of the open record, or NEW; absent if no drawer is open. */
  readonly open: string | undefined
}

/** Opens the form of a new record. */
export const NEW = 'new'

export interface ListUrlNames {
  readonly filters?: readonly string[]
  readonly sorts?: readonly string[]
}

export interface ListUrlParser {
  readonly parse: (search: URLSearchParams) => ListUrl
  readonly toSearch: (url: ListUrl) => URLSearchParams
}

const toPage = (text: string | null): number => Math.max(1, Math.trunc(Number(text)) || 1)

/** How the state of a page is written in its address, by the names of its filters and sorted columns. */
export function createListUrl({ filters = [], sorts = [] }: ListUrlNames): ListUrlParser {
  return {
    parse(search) {
      const sort = search.get('sort') ?? ''
      const descending = sort.startsWith('-')
      const chosen = filters.map((name): [string, string] => [name, search.get(name) ?? ''])
      return {
        text: search.get('q') ?? '',
        filters: Object.fromEntries(chosen.filter(([, value]) => value !== '')),
        sort: findKnown(descending ? sort.slice(1) : sort, sorts),
        descending,
        page: toPage(search.get('page')),
        picked: (search.get('pick') ?? '').split(',').filter((key) => key !== ''),
        open: search.get('open') ?? undefined,
      }
    },
    toSearch: (url) =>
      toSearch({
        q: url.text,
        ...url.filters,
        sort: url.sort === undefined ? '' : `${url.descending ? '-' : ''}${url.sort}`,
        page: url.page === 1 ? '' : String(url.page),
        pick: url.picked.join(','),
        open: url.open ?? '',
      }),
  }
}

/** Sets a filter, or removes it if it has no value. Shows the first page and selects nothing. */
export function withFilter({ filters }: ListUrl, name: string, value: string | undefined): Partial<ListUrl> {
  const { [name]: _, ...others } = filters
  return { filters: value ? { ...others, [name]: value } : others, picked: [], page: 1 }
}
