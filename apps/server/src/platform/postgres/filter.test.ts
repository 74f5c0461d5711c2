import { expect, test } from 'vitest'
import { toTotal } from './filter.pg.ts'

const counted = async () => 1_000
const never = async (): Promise<number> => {
  throw new Error('nothing is to be counted')
}

test('a page that is not full says itself how many there are on all pages', async () => {
  expect(await toTotal({ page: 1, size: 10 }, 4, never)).toBe(4)
  expect(await toTotal({ page: 3, size: 10 }, 4, never)).toBe(24)
  expect(await toTotal({ page: 1, size: 10 }, 0, never)).toBe(0)
})

test('behind a full page, and on one beyond the last, all are counted', async () => {
  expect(await toTotal({ page: 1, size: 10 }, 10, counted)).toBe(1_000)
  expect(await toTotal({ page: 900, size: 10 }, 0, counted)).toBe(1_000)
})
