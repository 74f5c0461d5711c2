import { expect, test } from 'vitest'
import { runAsCaller } from '../../../platform/tasks/current-caller.ts'
import { createSearchQueue } from './search-queue.ts'

/** Searches in the order of their start; each ends when the test calls `end`. */
function createSearches() {
  const runQueued = createSearchQueue()
  const started: { name: string; end: () => void }[] = []
  const query = (accountId: number, name: string) =>
    runAsCaller(`${accountId}`, () =>
      runQueued(() => new Promise<string>((end) => started.push({ name, end: () => end(name) }))),
    )
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
  await expect(query(1, 'g')).rejects.toMatchObject({ code: 'request.too-many' })
  query(2, 'h')
  await settle()
  expect(names()).toEqual(['a', 'b', 'h'])
})

test('however many others wait, a search is not refused for them', async () => {
  const { query, started, settle } = createSearches()
  for (let index = 0; index < 60; index += 1) query(index, `${index}`)
  const last = query(99, 'last')
  for (let index = 0; index < 61; index += 1) {
    await settle()
    started[index]?.end()
  }
  await expect(last).resolves.toBe('last')
})

test('a failed search frees its place', async () => {
  const runQueued = createSearchQueue()
  const fail = () => runQueued(() => Promise.reject(new Error('broken')))
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(fail()).rejects.toThrow('broken')
  expect(await runQueued(async () => 'found')).toBe('found')
})
