import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { hashPassword } from '../../../shared/session/password.ts'
import { createStoredLogin } from './stored-login.ts'

function createStore() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

const random = createRandom(7)
const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => random() * 256)
const login = { account: 'dispatcher', passwordHash: hashPassword('isotherm-demo') }

test('the stored login is found again, and neither storage reveals it', () => {
  const [tab, shared] = [createStore(), createStore()]
  const stored = createStoredLogin({ tab, shared, randomBytes })
  stored.store(login)
  expect(stored.find()).toEqual(login)
  for (const value of [...tab.held.values(), ...shared.held.values()]) {
    expect(value).not.toContain(login.passwordHash)
  }
})

test('after a login in another tab, this tab has no stored login instead of a wrong one', () => {
  const shared = createStore()
  const here = createStoredLogin({ tab: createStore(), shared, randomBytes })
  const there = createStoredLogin({ tab: createStore(), shared, randomBytes })
  here.store(login)
  there.store({ account: 'viewer', passwordHash: hashPassword('other') })
  expect(here.find()).toBeUndefined()
  expect(there.find()?.account).toBe('viewer')
})

test('nothing is left after clearing', () => {
  const [tab, shared] = [createStore(), createStore()]
  const stored = createStoredLogin({ tab, shared, randomBytes })
  stored.store(login)
  stored.forget()
  expect(stored.find()).toBeUndefined()
  expect(tab.held.size + shared.held.size).toBe(0)
})

test('invalid data in the storages count as no stored login', () => {
  const [tab, shared] = [createStore(), createStore()]
  const stored = createStoredLogin({ tab, shared, randomBytes })
  stored.store(login)
  shared.setItem('isotherm.login.key', 'zz')
  expect(stored.find()).toBeUndefined()
})
