/** Query parameters that distinguish records of a page. */
export interface Identity {
  readonly identity?: readonly string[]
}

/**
 * Key of a tab and its cached view: the path with the query parameters that name a record. Other parameters are the
 * state of the page and create no new tab or view.
 */
export function toTabKey(pathname: string, search: string, { identity = [] }: Identity): string {
  const query = new URLSearchParams(search)
  const record = new URLSearchParams()
  for (const name of identity) {
    for (const value of query.getAll(name)) record.append(name, value)
  }
  return record.size > 0 ? `${pathname}?${record}` : pathname
}

/** Values of the record parameters, to distinguish two tabs of a page. */
export const toRecordName = (key: string): string =>
  [...new URLSearchParams(key.split('?')[1] ?? '').values()].join(' ')
