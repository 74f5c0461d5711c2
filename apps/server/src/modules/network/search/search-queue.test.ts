import { expect, test } from 'vitest'
import { createSearchQueue } from './search-queue.ts'

/** Searches in the order of their start; each ends when the test calls `end`. */
function createSearches() {
  const runQueued = createSearchQueue()
  const started: { name: string; end: () => void }[] = []
  const query = (accountId: number, name: string) =>
    runQueued(accountId, () => new Promise<string>((end) => started.push({ name, end: () => end(name) })))
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { query, started, settle, names: () => started.map(({ name }) => name) }
}

test('two searches of one account run at once; the others start as those end', async () => {
  const { query, started, settle, names } = createSearches()
  const answers = ['a', 'b', 'c', 'd'].map((name) => query(1, name))
  await settle()
  expect(names()).toEqual(['a', 'b'])
  started[1]?.end()
  await expect(answers[1]).resolves.toBe('b')
  await settle()
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('four searches run in total; a free place goes to the first waiting search that may run', async () => {
  const { query, started, settle, names } = createSearches()
  for (const [accountId, name] of [
    [1, 'a'],
    [1, 'b'],
    [1, 'c'],
    [2, 'd'],
    [3, 'e'],
    [4, 'f'],
  ] as const) {
    query(accountId, name)
  }
  await settle()
  expect(names()).toEqual(['a', 'b', 'd', 'e'])
  started[3]?.end()
  await settle()
  expect(names()).toEqual(['a', 'b', 'd', 'e', 'f'])
})

test('an account with four waiting searches is refused a fifth; other accounts are not', async () => {
  const { query, settle, names } = createSearches()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) query(1, name)
  await expect(query(1, 'g')).rejects.toMatchObject({ code: 'request.too-many', params: { retryAfterS: 1 } })
  query(2, 'h')
  await settle()
  expect(names()).toEqual(['a', 'b', 'h'])
})

test('at most forty searches wait in all', async () => {
  const { query } = createSearches()
  for (let index = 0; index < 44; index += 1) query(index, `${index}`)
  await expect(query(99, 'one too many')).rejects.toMatchObject({ code: 'request.too-many' })
})

test('a failed search frees its place', async () => {
  const runQueued = createSearchQueue()
  const fail = () => runQueued(1, () => Promise.reject(new Error('broken')))
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(fail()).rejects.toThrow('broken')
  expect(await runQueued(1, async () => 'found')).toBe('found')
})
