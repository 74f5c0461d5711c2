import { expect, test } from 'vitest'
import { readFirstRows } from './read-first-rows.ts'

/** Endless rows of as many cells, each with the text. */
async function* createRows(columns: number, text: string) {
  const cells = new Map(Array.from({ length: columns }, (_, column) => [column, text]))
  for (let number = 1; ; number += 1) yield { number, cells }
}

test('the first rows are the headings and 2,000 rows of one width, fewer if they are long', async () => {
  const { headings, rows } = await readFirstRows(createRows(200, 'x'), 3)
  expect([headings.length, rows.length, rows.at(-1)?.length]).toEqual([200, 2_000, 200])
  const long = await readFirstRows(createRows(200, 'x'.repeat(1_000)), 1)
  expect(long.rows).toHaveLength(19)
})
