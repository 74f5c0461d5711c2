import { expect, test } from 'vitest'
import { sampleDevice } from '../../../shared/devices/valve-samples.testkit.ts'
import { listValves, MAX_VALVES } from './list-valves.ts'

/** A reader of pages with the given sizes, and the requested page numbers. */
const pagesOf = (sizes: readonly number[], total: number) => {
  const requested: number[] = []
  const readPage = async (page: number) => {
    requested.push(page)
    const length = sizes[page - 1] ?? 0
    return { datalist: Array.from({ length }, (_, index) => sampleDevice({ id: 10 * page + index })), total }
  }
  return { requested, readPage }
}

async function read({ readPage }: ReturnType<typeof pagesOf>) {
  const given: { ids: number[]; total: number; isWhole: boolean }[] = []
  for await (const { devices, total, isWhole } of listValves(readPage)) {
    given.push({ ids: devices.map(({ id }) => id), total, isWhole })
  }
  return given
}

test('each page is yielded when it arrives, and the last page is marked as the last', async () => {
  const pages = pagesOf([2, 1], 3)
  expect(await read(pages)).toEqual([
    { ids: [10, 11], total: 3, isWhole: false },
    { ids: [20], total: 3, isWhole: true },
  ])
  expect(pages.requested).toEqual([1, 2])
})

test('an empty selection is complete at once, and so is one whose valves are removed during the listing', async () => {
  expect(await read(pagesOf([], 0))).toEqual([{ ids: [], total: 0, isWhole: true }])
  expect((await read(pagesOf([2], 3))).at(-1)).toEqual({ ids: [], total: 3, isWhole: true })
})

test('too many valves are counted but not listed', async () => {
  const pages = pagesOf([2, 2], MAX_VALVES + 1)
  expect(await read(pages)).toEqual([{ ids: [], total: MAX_VALVES + 1, isWhole: true }])
  expect(pages.requested).toEqual([1])
})
