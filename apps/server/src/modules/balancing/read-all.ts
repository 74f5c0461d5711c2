import type { Limiter } from '@isotherm/contract/filter'

const ROWS_PER_PAGE = 1_000

/** Rows of all pages. If rows are added or removed meanwhile, a row at the edge of a page can appear twice or be missing. */
export async function readAll<Row>(
  readPage: (limiter: Limiter) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
): Promise<readonly Row[]> {
  const all: Row[] = []
  for (let page = 1; ; page += 1) {
    const { rows, total } = await readPage({ page, size: ROWS_PER_PAGE })
    all.push(...rows)
    if (rows.length === 0 || page * ROWS_PER_PAGE >= total) return all
  }
}
