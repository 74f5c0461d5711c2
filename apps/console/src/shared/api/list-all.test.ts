import { expect, test } from 'vitest'
import { listAll } from './list-all.ts'

const toKey = (item: string) => item
const pagesOf = (items: readonly string[], total = items.length) => {
  const requested: string[] = []
  const loadPage = async ({ page, size }: { page: number; size: number }) => {
    requested.push(`${page} ${size}`)
    return { datalist: items.slice((page - 1) * size, page * size), total }
  }
  return { requested, loadPage }
}
const names = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`)

test('§9 Page size: subdivision and vauser lists load 1000 rows per page until the total is reached', async () => {
  const { requested, loadPage } = pagesOf(names(2_500))
  expect(await listAll(loadPage, toKey)).toEqual(names(2_500))
  expect(requested).toEqual(['1 1000', '2 1000', '3 1000'])
})

test('a total that the pages never reach does not cause endless calls', async () => {
  const { requested, loadPage } = pagesOf(names(3), 5_000)
  expect(await listAll(loadPage, toKey)).toEqual(names(3))
  expect(requested).toEqual(['1 1000', '2 1000'])
})

test('a row that moves to the next page during loading is listed once', async () => {
  const { loadPage } = pagesOf([...names(1_000), ...names(1_001).slice(-2)])
  expect(await listAll(loadPage, toKey)).toEqual(names(1_001))
})
