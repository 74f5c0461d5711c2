import { expect, test } from 'vitest'
import { takeRefreshLock } from './refresh.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

test('one tab refreshes at a time, and the next may when it is done', () => {
  const store = createStore()
  const release = takeRefreshLock(store, 1_000_000)
  expect(release).toBeDefined()
  expect(takeRefreshLock(store, 1_000_001)).toBeUndefined()
  release?.()
  expect(takeRefreshLock(store, 1_000_002)).toBeDefined()
})

test('a tab that died while refreshing holds nobody up after a minute', () => {
  const store = createStore()
  takeRefreshLock(store, 1_000_000)
  expect(takeRefreshLock(store, 1_000_000 + 59_999)).toBeUndefined()
  expect(takeRefreshLock(store, 1_000_000 + 60_000)).toBeDefined()
})

test('a mark from a clock that was set back does not hold for ever', () => {
  const store = createStore()
  takeRefreshLock(store, 9_000_000)
  expect(takeRefreshLock(store, 1_000_000)).toBeDefined()
})
