import { expect, test } from 'vitest'
import { toTotal } from './filter.pg.ts'

const counted = async () => 1_000
const never = async (): Promise<number> => {
  throw new Error('nothing is to be counted')
}

test('the total follows from a page that is not full', async () => {
  expect(await toTotal({ page: 1, size: 10 }, 4, never)).toBe(4)
  expect(await toTotal({ page: 3, size: 10 }, 4, never)).toBe(24)
  expect(await toTotal({ page: 1, size: 10 }, 0, never)).toBe(0)
})

test('the rows are counted for a full page and for a page beyond the last', async () => {
  expect(await toTotal({ page: 1, size: 10 }, 10, counted)).toBe(1_000)
  expect(await toTotal({ page: 900, size: 10 }, 0, counted)).toBe(1_000)
})
