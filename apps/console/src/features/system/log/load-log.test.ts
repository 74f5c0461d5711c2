import { MAX_LOG_ENTRIES, type OperationEntry } from '@isotherm/contract/endpoints/administration/operations'
import { expect, test } from 'vitest'
import { LogSearchStuck, loadWholeLog } from './load-log.ts'

const entry = (id: number, at: number): OperationEntry => ({
  id,
  at,
  account: 'li',
  endpoint: 'editUser',
  result: 'ok',
  whole: true,
  changes: [],
  hasMoreChanges: false,
})

/** A log that answers like the server: newest first, half-open, at most MAX_LOG_ENTRIES a search. */
const searchOf =
  (log: readonly OperationEntry[]): Parameters<typeof loadWholeLog>[0] =>
  async ({ from = 0, to = 0, limiter: { page, size } }) => {
    const found = log.filter(({ at }) => at >= from && at < to).sort((a, b) => b.at - a.at || b.id - a.id)
    const listed = found.slice(0, MAX_LOG_ENTRIES)
    return {
      datalist: listed.slice((page - 1) * size, page * size),
      total: listed.length,
      hasMore: found.length > listed.length,
      searchedFrom: from,
      retentionDays: 0,
    }
  }

test('all pages are loaded, and searches continue until every entry is found, each once', async () => {
  // Three entries of each instant, so that the end of a search divides an instant.
  const log = Array.from({ length: 23_456 }, (_, id) => entry(id, 1_000 + Math.floor(id / 3)))
  const found = await loadWholeLog(searchOf(log), { from: 0, filter: [] }, 100_000)
  expect(found).toHaveLength(log.length)
  expect(new Set(found.map(({ id }) => id)).size).toBe(log.length)
  expect(found[0]?.id).toBe(23_455)
})

test('a search that the server stopped continues where it ended', async () => {
  const calls: number[] = []
  const found = await loadWholeLog(
    async ({ to = 0 }) => {
      calls.push(to)
      return to > 500
        ? { datalist: [entry(2, 700)], total: 1, hasMore: true, searchedFrom: 500, retentionDays: 0 }
        : { datalist: [entry(1, 100)], total: 1, hasMore: false, searchedFrom: 0, retentionDays: 0 }
    },
    { from: 0, filter: [] },
    1_000,
  )
  expect(calls).toEqual([1_000, 500])
  expect(found.map(({ id }) => id)).toEqual([2, 1])
})

test('a search that gets no farther is an error instead of an incomplete file', async () => {
  const stuck = loadWholeLog(
    async ({ to = 0 }) => ({ datalist: [], total: 0, hasMore: true, searchedFrom: to, retentionDays: 0 }),
    { from: 0, filter: [] },
    1_000,
  )
  await expect(stuck).rejects.toBeInstanceOf(LogSearchStuck)
})
