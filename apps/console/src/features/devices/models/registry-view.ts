import { createListUrl, type ListUrl, type ListUrlParser } from '../../../shared/records/list-url.ts'

/** Lists of a page of device management: the devices, their models, and the profiles by which models are read. */
export const registryViews = ['devices', 'models', 'profiles'] as const
export type RegistryView = (typeof registryViews)[number]

/** Name of the view in the address. */
const VIEW = 'view'

export const parseRegistryView = (search: URLSearchParams): RegistryView =>
  registryViews.find((view) => view === search.get(VIEW)) ?? 'devices'

export const toRegistrySearch = (view: RegistryView): string => (view === 'devices' ? '' : `?${VIEW}=${view}`)

/** Address of a list that is a view of the page. */
export function createViewAddress(view: RegistryView, sorts: readonly string[]): ListUrlParser {
  const list = createListUrl({ sorts })
  return {
    parse: list.parse,
    toSearch(url: ListUrl) {
      const search = list.toSearch(url)
      search.set(VIEW, view)
      return search
    },
  }
}
