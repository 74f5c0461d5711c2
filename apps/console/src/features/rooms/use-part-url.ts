import { type ListUrl, type ListUrlParser, withFilter } from '../../shared/records/list-url.ts'
import { usePageUrl } from '../../shared/url/use-page-url.ts'

/** Address state of a section. The word of the section stays in the address, also when the filters are cleared. */
export function usePartUrl(address: ListUrlParser, section: string) {
  const [whole, change] = usePageUrl(address.parse, address.toSearch)
  const { section: _, ...filters } = whole.filters
  const url: ListUrl = { ...whole, filters }
  const onUrl = (part: Partial<ListUrl>, options?: { readonly push?: boolean }) =>
    change({ ...part, filters: { ...(part.filters ?? filters), section } }, options)
  const setFilter = (name: string, value: string | undefined) => onUrl(withFilter(url, name, value))
  return { url, onUrl, setFilter }
}
