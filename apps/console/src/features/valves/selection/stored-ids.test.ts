import { expect, test } from 'vitest'
import { loadIds, storeIds } from './stored-ids.ts'

function createStore() {
  const entries = new Map<string, string>()
  return {
    entries,
    get: () => ({
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
    }),
  }
}

/** Thousands of ids with irregular steps. Each `seed` gives another list. */
const scatter = (seed: number): readonly number[] => {
  const ids: number[] = []
  for (let id = seed, at = 0; at < 5_000; at++) {
    id += 1 + ((at * at + seed) % 7)
    ids.push(id)
  }
  return ids
}

test('a short list is written into the address and not stored', () => {
  const store = createStore()
  const all = Array.from({ length: 10_000 }, (_, index) => index + 1)
  expect(loadIds(storeIds(all, store.get), store.get)).toEqual(all)
  expect(store.entries.size).toBe(0)
})

test('thousands of scattered ids are stored, and the address stays short', () => {
  const store = createStore()
  const text = storeIds(scatter(1), store.get)
  expect(text.length).toBeLessThan(40)
  expect(storeIds(scatter(1), store.get)).toBe(text)
  expect(loadIds(text, store.get)).toEqual(scatter(1))
})

test('the least recently used list is removed, and a removed list reads as empty', () => {
  const store = createStore()
  const texts = Array.from({ length: 8 }, (_, index) => storeIds(scatter(index + 1), store.get))
  expect(loadIds(texts[0] ?? '', store.get)).toHaveLength(5_000)
  storeIds(scatter(9), store.get)
  expect(loadIds(texts[0] ?? '', store.get)).toHaveLength(5_000)
  expect(loadIds(texts[1] ?? '', store.get)).toEqual([])
})
