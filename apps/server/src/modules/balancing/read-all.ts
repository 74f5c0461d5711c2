import type { Limiter } from '@isotherm/contract/filter'

const ROWS_AT_ONCE = 1_000

/** Rows of all pages. A row that shifts to the next page during the reads appears twice. */
export async function readAll<Row>(
  readPage: (limiter: Limiter) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
): Promise<readonly Row[]> {
  const all: Row[] = []
  for (let page = 1; ; page += 1) {
    const { rows, total } = await readPage({ page, size: ROWS_AT_ONCE })
    all.push(...rows)
    if (rows.length === 0 || page * ROWS_AT_ONCE >= total) return all
  }
}
