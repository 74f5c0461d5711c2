import { expect, test } from 'vitest'
import { keepIds, recallIds } from './stored-ids.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    held,
    get: () => ({
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, value: string) => void held.set(key, value),
      removeItem: (key: string) => void held.delete(key),
    }),
  }
}

/** Thousands of ids with no order in their distances; another `seed`, another list. */
const scatter = (seed: number): readonly number[] => {
  const ids: number[] = []
  for (let id = seed, at = 0; at < 5_000; at++) {
    id += 1 + ((at * at + seed) % 7)
    ids.push(id)
  }
  return ids
}

test('what is short stands in the address, and nothing is kept', () => {
  const store = createStore()
  const all = Array.from({ length: 10_000 }, (_, index) => index + 1)
  expect(recallIds(keepIds(all, store.get), store.get)).toEqual(all)
  expect(store.held.size).toBe(0)
})

test('a scattered selection of thousands is kept beside an address that stays short', () => {
  const store = createStore()
  const text = keepIds(scatter(1), store.get)
  expect(text.length).toBeLessThan(40)
  expect(keepIds(scatter(1), store.get)).toBe(text)
  expect(recallIds(text, store.get)).toEqual(scatter(1))
})

test('what was not used for longest is forgotten, and forgotten is nothing chosen', () => {
  const store = createStore()
  const texts = Array.from({ length: 8 }, (_, index) => keepIds(scatter(index + 1), store.get))
  expect(recallIds(texts[0] ?? '', store.get)).toHaveLength(5_000)
  keepIds(scatter(9), store.get)
  expect(recallIds(texts[0] ?? '', store.get)).toHaveLength(5_000)
  expect(recallIds(texts[1] ?? '', store.get)).toEqual([])
})
