import { expect, test } from 'vitest'
import { takeRefreshLock } from './refresh-lock.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

const take = (store: ReturnType<typeof createStore>, now: number, tab = 'a') =>
  takeRefreshLock({ store, now: () => now, tab, wait: async () => {} })

test('one tab refreshes at a time, and the next may when it is done', async () => {
  const store = createStore()
  const release = await take(store, 1_000_000)
  expect(release).toBeDefined()
  expect(await take(store, 1_000_001, 'b')).toBeUndefined()
  release?.()
  expect(await take(store, 1_000_002, 'b')).toBeDefined()
})

test('of two tabs that mark in the same moment exactly one has the right', async () => {
  const store = createStore()
  const getItem = store.getItem
  let looks = 0
  // Both tabs read before either writes, as two processes can.
  const racing = { ...store, getItem: (key: string) => (++looks <= 2 ? null : getItem(key)) }
  const taken = await Promise.all([take(racing, 5, 'a'), take(racing, 5, 'b')])
  expect(taken.filter((release) => release !== undefined)).toHaveLength(1)
})

test('a tab that died while refreshing holds nobody up after a minute', async () => {
  const store = createStore()
  await take(store, 1_000_000)
  expect(await take(store, 1_000_000 + 59_999, 'b')).toBeUndefined()
  expect(await take(store, 1_000_000 + 60_000, 'b')).toBeDefined()
})

test('a mark from a clock that was set back does not hold for ever', async () => {
  const store = createStore()
  await take(store, 9_000_000)
  expect(await take(store, 1_000_000, 'b')).toBeDefined()
})
