import { defaultPasswordRules } from '@isotherm/contract/access/password-rules'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCall, createTestPublicCall } from '../../../platform/http/call.testkit.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { toClientHash } from '../sign-in/passwords.ts'
import { createPasswordPolicies } from './password-policies.pg.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
  await core.createAccount('li', ['pe-fmreal'], ['s1'])
})
afterAll(() => core.close())

async function setIdle(idleMinutes: number): Promise<void> {
  const policies = createPasswordPolicies(core.db)
  const call = createTestCall({ permissions: new Set(['ps-htusersys']) })
  const { version } = await policies.get(call.caller, null)
  await policies.edit(call, { companyId: null, version, ...defaultPasswordRules, idleMinutes })
}

async function signIn() {
  const credentials = { username: 'li', password: toClientHash('li') }
  const { token } = await core.session.login('ht-api', credentials, createTestPublicCall())
  return () => core.session.authenticate('ht-api', token)
}

test('a session ends after the time without input, also if its page goes on calling', async () => {
  await setIdle(15)
  const authenticate = await signIn()
  const { sessionId } = await authenticate()
  for (let minute = 0; minute < 16; minute += 1) {
    core.clock.advance(MINUTE_MS)
    await authenticate()
  }
  core.clock.advance(2 * MINUTE_MS)
  await expect(authenticate()).rejects.toMatchObject({ code: 'session.expired' })
  expect((await core.session.findAccess([sessionId])).size).toBe(0)
})

test('input prolongs the session, and the console learns the time', async () => {
  await setIdle(15)
  const authenticate = await signIn()
  for (let times = 0; times < 3; times += 1) {
    core.clock.advance(14 * MINUTE_MS)
    expect(await core.session.recordActivity(await authenticate())).toBe(15)
  }
  core.clock.advance(10 * MINUTE_MS)
  await expect(authenticate()).resolves.toMatchObject({ account: 'li' })
})

test('without such a rule sessions do not end', async () => {
  await setIdle(0)
  const authenticate = await signIn()
  core.clock.advance(110 * MINUTE_MS)
  expect(await core.session.recordActivity(await authenticate())).toBe(0)
})
