import type { Limiter } from '@isotherm/contract/filter'
import { expect, test } from 'vitest'
import { readAll } from './read-all.ts'

const stored = Array.from({ length: 2_500 }, (_, index) => index)
const read =
  (total: number) =>
  async ({ page, size }: Limiter) => ({ rows: stored.slice((page - 1) * size, page * size), total })

test('reads every row of a list of several pages, once', async () => {
  expect(await readAll(read(stored.length))).toEqual(stored)
})

test('reads until the last page, even if the total is wrong', async () => {
  expect(await readAll(read(9_000))).toEqual(stored)
})
