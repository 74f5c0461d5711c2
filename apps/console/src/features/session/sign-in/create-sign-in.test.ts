import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { clearTokens, findTokens, storeTokens, type Tokens } from '../../../shared/session/tokens.ts'
import { createSignIn } from './create-sign-in.ts'

const stored = { account: 'viewer', passwordHash: '0'.repeat(64) }
const toTokens = (name: string, uid: string): Omit<Tokens, 'expiresAt'> => ({
  first: `${name} 1`,
  second: `${name} 2`,
  userType: 'usr',
  uid,
})

/** A browser and its server; `meanwhile` runs during the login. */
function createWorld(current?: { uid: string }) {
  const held = new Map<string, string>()
  const store = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
  if (current) storeTokens(store, toTokens('old', current.uid), 0)
  const world = { now: 1_000, meanwhile: () => {}, refuses: false, ended: [] as string[] }
  const signIn = createSignIn({
    store,
    now: () => world.now,
    async logIn() {
      await Promise.resolve()
      world.meanwhile()
      if (world.refuses) throw new Error('refused')
      return toTokens('new', '7')
    },
    endOnServer: ({ token }) => void world.ended.push(token),
  })
  return { world, store, signIn, find: () => findTokens(store, world.now)?.first }
}

test('§4 login sets the tokens and an expiry 2 hours ahead', async () => {
  const { signIn, store, world } = createWorld()
  expect(await signIn(stored, { as: 'replace' })).toBe('signed-in')
  expect(findTokens(store, world.now)).toEqual({ ...toTokens('new', '7'), expiresAt: 7_201_000 })
  expect(world.ended).toEqual([])
})

test('a replaced session ends on the server, but only after the new login has succeeded', async () => {
  const { signIn, world, find } = createWorld({ uid: '3' })
  world.refuses = true
  await expect(signIn(stored, { as: 'replace' })).rejects.toThrow('refused')
  expect([find(), world.ended]).toEqual(['old 1', []])
  world.refuses = false
  await signIn(stored, { as: 'replace' })
  expect([find(), world.ended]).toEqual(['new 1', ['old 1']])
})

test.each([0, 3 * HOUR_MS])(
  'S7: a running Re-Login does not undo a logout, also %i ms later; the late session ends on the server',
  async (now) => {
    const { signIn, world, store, find } = createWorld({ uid: '7' })
    world.now = now
    world.meanwhile = () => clearTokens(store)
    expect(await signIn(stored, { as: 'renew' })).toBe('ended')
    expect([find(), world.ended]).toEqual([undefined, ['new 1']])
  },
)

test('S7: a running Re-Login does not replace a login of another tab', async () => {
  const { signIn, world, store, find } = createWorld({ uid: '7' })
  world.meanwhile = () => storeTokens(store, toTokens('other', '7'), world.now)
  expect(await signIn(stored, { as: 'renew' })).toBe('overtaken')
  expect([find(), world.ended]).toEqual(['other 1', ['new 1']])
})

test('Re-Login replaces the expired session', async () => {
  const { signIn, world, find } = createWorld({ uid: '7' })
  world.now = 3 * HOUR_MS
  expect(await signIn(stored, { as: 'renew' })).toBe('signed-in')
  expect([find(), world.ended]).toEqual(['new 1', []])
})
