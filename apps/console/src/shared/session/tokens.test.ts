import { expect, test } from 'vitest'
import { clearTokens, findToken, findTokens, isRefreshDue, keepTokens } from './tokens.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

const MINUTE = 60_000
const given = { first: 'one', second: 'two', userType: 'usr' }

test('a login stands under the names of the specification, for two hours', () => {
  const store = createStore()
  keepTokens(store, given, 1_000)
  expect(store.held.get('heighten')).toBe('one')
  expect(store.held.get('heightenplus')).toBe('two')
  expect(store.held.get('ExpiresAt')).toBe(String(1_000 + 120 * MINUTE))
  expect(findTokens(store, 1_000 + 119 * MINUTE)).toMatchObject(given)
  expect(findTokens(store, 1_000 + 120 * MINUTE)).toBeUndefined()
})

test('a session with one token is none', () => {
  const store = createStore()
  keepTokens(store, given, 1_000)
  store.removeItem('heightenplus')
  expect(findTokens(store, 2_000)).toBeUndefined()
  expect(findToken(store, 'usr-cloud')).toBe('one')
  expect(findToken(store, 'ht-api')).toBeUndefined()
})

test('a refresh is due after 90 minutes, and starts the two hours again', () => {
  const store = createStore()
  keepTokens(store, given, 0)
  const tokens = findTokens(store, 1)
  if (!tokens) throw new Error('no tokens')
  expect(isRefreshDue(tokens, 90 * MINUTE - 1)).toBe(false)
  expect(isRefreshDue(tokens, 90 * MINUTE)).toBe(true)
  keepTokens(store, { second: 'three' }, 90 * MINUTE)
  expect(findTokens(store, 200 * MINUTE)).toMatchObject({ first: 'one', second: 'three' })
})

test('nothing of the session is left after clearing, but where the login came from', () => {
  const store = createStore()
  keepTokens(store, given, 0)
  store.setItem('loginSrcId', '128')
  clearTokens(store)
  expect([...store.held.keys()]).toEqual(['loginSrcId'])
})
