import { expect, test } from 'vitest'
import { createSearchTurns } from './search-queue.ts'

/** Searches that end when the test says so, in the order they began. */
function createSearches() {
  const inTurn = createSearchTurns()
  const begun: { name: string; end: () => void }[] = []
  const ask = (accountId: number, name: string) =>
    inTurn(accountId, () => new Promise<string>((end) => begun.push({ name, end: () => end(name) })))
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { ask, begun, settle, names: () => begun.map(({ name }) => name) }
}

test('of one account two searches run, and the others follow as those end', async () => {
  const { ask, begun, settle, names } = createSearches()
  const answers = ['a', 'b', 'c', 'd'].map((name) => ask(1, name))
  await settle()
  expect(names()).toEqual(['a', 'b'])
  begun[1]?.end()
  await expect(answers[1]).resolves.toBe('b')
  await settle()
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('of all accounts four searches run; a place goes to the first that may take it', async () => {
  const { ask, begun, settle, names } = createSearches()
  for (const [accountId, name] of [
    [1, 'a'],
    [1, 'b'],
    [1, 'c'],
    [2, 'd'],
    [3, 'e'],
    [4, 'f'],
  ] as const) {
    ask(accountId, name)
  }
  await settle()
  expect(names()).toEqual(['a', 'b', 'd', 'e'])
  begun[3]?.end()
  await settle()
  expect(names()).toEqual(['a', 'b', 'd', 'e', 'f'])
})

test('who has four searches waiting is refused a fifth, others are not', async () => {
  const { ask, settle, names } = createSearches()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ask(1, name)
  await expect(ask(1, 'g')).rejects.toMatchObject({ code: 'request.too-many', params: { retryAfterS: 1 } })
  ask(2, 'h')
  await settle()
  expect(names()).toEqual(['a', 'b', 'h'])
})

test('at most forty searches wait in all', async () => {
  const { ask } = createSearches()
  for (let index = 0; index < 44; index += 1) ask(index, `${index}`)
  await expect(ask(99, 'one too many')).rejects.toMatchObject({ code: 'request.too-many' })
})

test('a search that fails leaves its place to the next', async () => {
  const inTurn = createSearchTurns()
  const fail = () => inTurn(1, () => Promise.reject(new Error('broken')))
  for (let round = 0; round < 5; round += 1) await expect(fail()).rejects.toThrow('broken')
  expect(await inTurn(1, async () => 'found')).toBe('found')
})
