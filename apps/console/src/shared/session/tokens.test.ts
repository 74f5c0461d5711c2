import { MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import {
  clearTokens,
  findToken,
  findTokens,
  hadAnotherUser,
  isRefreshDue,
  storeFirstToken,
  storeLastUser,
  storeTokens,
} from './tokens.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

const given = { first: 'one', second: 'two', userType: 'usr', uid: '7' }

test('S1: §9 storage keys heighten, heightenplus, ExpiresAt, loginSrcId; login expiry 2 hours: a login is stored under the specified names for two hours', () => {
  const store = createStore()
  storeTokens(store, given, 1_000)
  expect(store.held.get('heighten')).toBe('one')
  expect(store.held.get('heightenplus')).toBe('two')
  expect(store.held.get('ExpiresAt')).toBe(String(1_000 + 120 * MINUTE_MS))
  expect(findTokens(store, 1_000 + 119 * MINUTE_MS)).toMatchObject(given)
  expect(findTokens(store, 1_000 + 120 * MINUTE_MS)).toBeUndefined()
})

test('a session with only one token is not a session', () => {
  const store = createStore()
  storeTokens(store, given, 1_000)
  store.removeItem('heightenplus')
  expect(findTokens(store, 2_000)).toBeUndefined()
  expect(findToken(store, 'usr-cloud')).toBe('one')
  expect(findToken(store, 'ht-api')).toBeUndefined()
})

test('§4 §9 token refresh timer 90 minutes, new expiry 2 hours ahead: a refresh is due after 90 minutes and restarts the two hours', () => {
  const store = createStore()
  storeTokens(store, given, 0)
  const tokens = findTokens(store, 1)
  if (!tokens) throw new Error('no tokens')
  expect(isRefreshDue(tokens, 90 * MINUTE_MS - 1)).toBe(false)
  expect(isRefreshDue(tokens, 90 * MINUTE_MS)).toBe(true)
  storeTokens(store, { second: 'three' }, 90 * MINUTE_MS)
  expect(findTokens(store, 200 * MINUTE_MS)).toMatchObject({ first: 'one', second: 'three' })
})

test('clearing removes the session except the login-source id', () => {
  const store = createStore()
  storeTokens(store, given, 0)
  store.setItem('loginSrcId', '128')
  clearTokens(store)
  expect([...store.held.keys()]).toEqual(['loginSrcId'])
})

test('§4 after the first half of a refresh, the two hours do not restart and the refresh is still due', () => {
  const store = createStore()
  storeTokens(store, given, 0)
  storeFirstToken(store, 'new')
  const tokens = findTokens(store, 91 * MINUTE_MS)
  expect(tokens).toMatchObject({ first: 'new', second: 'two', expiresAt: 120 * MINUTE_MS })
  expect(tokens && isRefreshDue(tokens, 91 * MINUTE_MS)).toBe(true)
})

test('a tab remembers its last user, also after the logout', () => {
  const [tab, shared] = [createStore(), createStore()]
  expect(hadAnotherUser(tab, '7')).toBe(false)
  storeLastUser(tab, '7')
  clearTokens(shared)
  expect(hadAnotherUser(tab, '7')).toBe(false)
  expect(hadAnotherUser(tab, '8')).toBe(true)
})
