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

test('one tab refreshes at a time; the next one may refresh afterwards', async () => {
  const store = createStore()
  const release = await take(store, 1_000_000)
  expect(release).toBeDefined()
  expect(await take(store, 1_000_001, 'b')).toBeUndefined()
  release?.()
  expect(await take(store, 1_000_002, 'b')).toBeDefined()
})

test('if two tabs take the lock at the same moment, exactly one may refresh', async () => {
  const store = createStore()
  const getItem = store.getItem
  let reads = 0
  // Both tabs read before either writes, as two processes can.
  const racing = { ...store, getItem: (key: string) => (++reads <= 2 ? null : getItem(key)) }
  const taken = await Promise.all([take(racing, 5, 'a'), take(racing, 5, 'b')])
  expect(taken.filter((release) => release !== undefined)).toHaveLength(1)
})

test('a tab that closed while refreshing blocks the others for at most a minute', async () => {
  const store = createStore()
  await take(store, 1_000_000)
  expect(await take(store, 1_000_000 + 59_999, 'b')).toBeUndefined()
  expect(await take(store, 1_000_000 + 60_000, 'b')).toBeDefined()
})

test('a lock with a future time, left from before the clock was set back, does not block forever', async () => {
  const store = createStore()
  await take(store, 9_000_000)
  expect(await take(store, 1_000_000, 'b')).toBeDefined()
})
