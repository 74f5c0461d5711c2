/** Of a page: what tells one record of it from another. */
export interface Identity {
  readonly identity?: readonly string[]
}

/**
 * What a tab and its cached view are known by: the path with those query parameters that make another record
 * of the page. Any other query is the page's own state and makes neither a new tab nor a new view.
 */
export function toTabKey(pathname: string, search: string, { identity = [] }: Identity): string {
  const query = new URLSearchParams(search)
  const record = new URLSearchParams()
  for (const name of identity) {
    for (const value of query.getAll(name)) record.append(name, value)
  }
  return record.size > 0 ? `${pathname}?${record}` : pathname
}

/** Values of the parameters that make another record, to tell two tabs of a page apart. */
export const toRecordName = (key: string): string =>
  [...new URLSearchParams(key.split('?')[1] ?? '').values()].join(' ')
