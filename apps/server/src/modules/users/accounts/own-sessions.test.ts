import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { refusal, startUsers, type TestUsers, toPassword } from '../users.testkit.ts'

const LIMITER = { page: 1, size: 100 }
const expired = refusal('session.expired')
const notFound = refusal('session.not-found')
let users: TestUsers
let chief: Call

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('chief', ['pu-usersetting', 'pe-fmreal'], ['p'])
  await users.createAccount('viewer-role', ['pe-fmreal'], ['p'])
  chief = await users.as('chief')
})
afterAll(() => users.close())

/** A user without the page of users, signed in twice. */
async function signInTwice(account: string) {
  await users.register(chief, account, { roleIds: [await users.roleOf('viewer-role')] })
  const [token, other] = [await users.signIn(account), await users.signIn(account)]
  const call = await users.toCall(token)
  const otherId = (await users.toCall(other)).caller.sessionId
  return { token, other, call, otherId, password: toPassword(account) }
}

const idsOf = async (call: Call) => {
  const { datalist, needsPassword } = await users.handlers.getOwnSessions({ limiter: LIMITER }, call)
  return { ids: datalist.map(({ id }) => id), needsPassword }
}

test('users without the page of users see the sessions of their account and end one with their password', async () => {
  const { token, other, call, otherId, password } = await signInTwice('reader')
  expect(await idsOf(call)).toEqual({ ids: [otherId, call.caller.sessionId], needsPassword: true })
  expect(await users.handlers.endOwnSessions({ ids: [otherId], password }, call)).toEqual({ ended: 1 })
  await expect(users.toCall(other)).rejects.toEqual(expired)
  expect((await idsOf(await users.toCall(token))).ids).toEqual([call.caller.sessionId])
})

test('who has only found an open console ends no session: a wrong or missing password is refused', async () => {
  const { other, call, otherId } = await signInTwice('careless')
  const wrong = refusal('session.bad-credentials')
  await expect(users.handlers.endOwnSessions({ ids: [otherId] }, call)).rejects.toEqual(wrong)
  const guess = { ids: [otherId], password: toPassword('guessed') }
  await expect(users.handlers.endOwnSessions(guess, call)).rejects.toEqual(wrong)
  await users.toCall(other)
})

test('a session of another account ends nothing, also for who could manage that account', async () => {
  const { other, otherId } = await signInTwice('managed')
  const { call, otherId: ownId, password } = await signInTwice('manager')
  await expect(users.handlers.endOwnSessions({ ids: [ownId, otherId], password }, call)).rejects.toEqual(
    notFound,
  )
  expect((await idsOf(call)).ids).toContain(ownId)
  await users.toCall(other)
})

test('an account of another authority ends sessions without a password, within ten minutes of its sign-in', async () => {
  const { call, otherId, password } = await signInTwice('provided')
  const { accountId, sessionId } = call.caller
  await users.db.updateTable('account').set({ is_external: true }).where('id', '=', accountId).execute()
  expect((await idsOf(call)).needsPassword).toBe(false)
  const startedAt = new Date(users.clock.now() - 11 * 60_000)
  await users.db.updateTable('session').set({ created_at: startedAt }).where('id', '=', sessionId).execute()
  const attempt = { ids: [otherId], password }
  await expect(users.handlers.endOwnSessions(attempt, call)).rejects.toEqual(refusal('session.not-fresh'))
  const later = new Date(users.clock.now() - 9 * 60_000)
  await users.db.updateTable('session').set({ created_at: later }).where('id', '=', sessionId).execute()
  expect(await users.handlers.endOwnSessions({ ids: [otherId] }, call)).toEqual({ ended: 1 })
})
