import { MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { findTokens, storeTokens } from '../../../shared/session/tokens.ts'
import { createRefresh } from './create-refresh.ts'
import { takeRefreshLock } from './refresh-lock.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

/** Tabs of one browser 90 minutes after a login, with a fake server. */
function createWorld(userType = 'usr') {
  const store = createStore()
  storeTokens(store, { first: 'one', second: 'two', userType, uid: '7' }, 0)
  const world = { now: 90 * MINUTE_MS, calls: [] as string[], failing: '', store, meanwhile: () => {} }
  const answer = async (name: string, token: string): Promise<string> => {
    world.calls.push(`${name} ${token}`)
    await Promise.resolve()
    world.meanwhile()
    if (world.failing === name) throw new Error('no network')
    return `${token}+`
  }
  const openTab = (tab: string) =>
    createRefresh({
      store,
      now: () => world.now,
      takeLock: () => takeRefreshLock({ store, now: () => world.now, tab, wait: async () => {} }),
      refreshFirst: (token) => answer('first', token),
      refreshSecond: async (token) => ({ second: await answer('second', token), userType }),
    })
  return { world, store, openTab }
}

test('§4 after 90 minutes: for utype usr the first refresh function, always the second; expiry 2 hours ahead', async () => {
  const { world, store, openTab } = createWorld()
  await openTab('a')()
  expect(world.calls).toEqual(['first one', 'second two'])
  expect(findTokens(store, world.now)).toMatchObject({
    first: 'one+',
    second: 'two+',
    expiresAt: world.now + 120 * MINUTE_MS,
  })
})

test('§6 utype decides whether the refresh timer calls the first refresh function', async () => {
  const { world, store, openTab } = createWorld('other')
  await openTab('a')()
  expect(world.calls).toEqual(['second two'])
  expect(findTokens(store, world.now)).toMatchObject({ first: 'one', second: 'two+' })
})

test('§9 token refresh timer 90 minutes: before that nothing is requested', async () => {
  const { world, openTab } = createWorld()
  world.now = 90 * MINUTE_MS - 1
  await openTab('a')()
  expect(world.calls).toEqual([])
})

test('S2: several tabs share one refresh', async () => {
  const { world, openTab } = createWorld()
  const tabs = ['a', 'b', 'c'].map(openTab)
  await Promise.all(tabs.map((refresh) => refresh()))
  for (const refresh of tabs) await refresh()
  expect(world.calls).toEqual(['first one', 'second two'])
})

test('S3: a refresh that fails in the network stays due and runs at the next check', async () => {
  const { world, store, openTab } = createWorld()
  const refresh = openTab('a')
  world.failing = 'second'
  await expect(refresh()).rejects.toThrow('no network')
  expect(findTokens(store, world.now)).toMatchObject({
    first: 'one+',
    second: 'two',
    expiresAt: 120 * MINUTE_MS,
  })
  world.failing = ''
  world.now += MINUTE_MS
  await refresh()
  expect(findTokens(store, world.now)).toMatchObject({ first: 'one++', second: 'two+' })
})

test('after two hours nothing can be refreshed', async () => {
  const { world, openTab } = createWorld()
  world.now = 120 * MINUTE_MS
  await openTab('a')()
  expect(world.calls).toEqual([])
})

test('a late answer does not change a new login of the same user in the meantime', async () => {
  const { world, store, openTab } = createWorld()
  world.meanwhile = () =>
    storeTokens(store, { first: 'new', second: 'newer', userType: 'usr', uid: '7' }, world.now)
  await openTab('a')()
  expect(findTokens(store, world.now)).toMatchObject({ first: 'new', second: 'newer' })
})

test('a late answer does not undo a logout in the meantime', async () => {
  const { world, store, openTab } = createWorld()
  world.meanwhile = () => store.removeItem('heightenplus')
  await openTab('a')()
  expect(store.getItem('heighten')).toBe('one')
  expect(store.getItem('heightenplus')).toBeNull()
})
