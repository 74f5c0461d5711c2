/** Rows per page: the maximum of most calls (specification, section 9). */
const PAGE_ROWS = 1_000

interface Page<Item> {
  readonly datalist: readonly Item[]
  readonly total: number
}

/**
 * Loads all pages until the total is reached. Removes duplicates: a row can move to the next page between two calls.
 * `pageRows`: rows per page, for a call with a lower maximum.
 */
export async function listAll<Item>(
  loadPage: (limiter: { readonly page: number; readonly size: number }) => Promise<Page<Item>>,
  toKey: (item: Item) => string | number,
  pageRows = PAGE_ROWS,
): Promise<readonly Item[]> {
  const items = new Map<string | number, Item>()
  for (let page = 1; ; page += 1) {
    const { datalist, total } = await loadPage({ page, size: pageRows })
    for (const item of datalist) items.set(toKey(item), item)
    if (datalist.length === 0 || page * pageRows >= total) return [...items.values()]
  }
}
