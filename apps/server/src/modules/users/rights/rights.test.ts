import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestPublicCall } from '../../../platform/http/call.testkit.ts'
import type { Call } from '../../../platform/http/call.ts'
import {
  refusal,
  startUsers,
  type TestUsers,
  toGiven,
  toNext,
  toPassword,
  toPasswordText,
} from '../users.testkit.ts'

let users: TestUsers
let boss: Call
let chief: Call

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('boss', permissions, [], 'provider')
  await users.createAccount('chief', permissions, ['p'])
  await users.createAccount('keeper', ['pu-usersetting', 'pe-fmreal'], ['s1'])
  boss = await users.as('boss')
  chief = await users.as('chief')
})
afterAll(() => users.close())

/** Registers an account with a session. Returns the changes a test makes, and whether the session is alive. */
async function signedIn(account: string, given: Parameters<TestUsers['register']>[2] = {}) {
  const { id, version } = await users.register(chief, account, given)
  const token = await users.signIn(account)
  const { sessionId } = (await users.toCall(token)).caller
  const ended = Promise.withResolvers<void>()
  users.session.onEnded((session) => {
    if (session === sessionId) ended.resolve()
  })
  return { id, uid: id, version, state: 0 as const, token, ended: ended.promise }
}

const expired = refusal('session.expired')

test('§4 User enable/disable changes through an id plus a state value: disabling ends the sessions at once, after enabling, the user can sign in again', async () => {
  const { id, token, ended } = await signedIn('disabled')
  await users.handlers.editUserEnableState({ id, state: 0 }, chief)
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await ended
  await expect(users.signIn('disabled')).rejects.toEqual(refusal('session.disabled'))
  await users.handlers.editUserEnableState({ id, state: 1 }, chief)
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await users.signIn('disabled')
})

test('a reset password ends the sessions at once, and the old password fails', async () => {
  const { uid, version, token, ended } = await signedIn('forgetful')
  const given = toGiven('一个别人猜不到的密码')
  await users.handlers.resetPassword({ uid, version, ...given }, chief)
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await ended
  await expect(users.signIn('forgetful')).rejects.toEqual(refusal('session.bad-credentials'))
  await expect(users.handlers.resetPassword({ uid, version, ...given }, chief)).rejects.toEqual(
    refusal('entity.stale', { fields: 'passwordRev' }),
  )
})

test('users change their own password with the old one, and all their sessions end', async () => {
  const { id, token, ended } = await signedIn('careful')
  const own = { username: 'careful', password: toPassword('careful') }
  const next = toNext('只有自己知道的长密码')
  const call = createTestPublicCall()
  const { changePassword } = users.handlers
  await expect(changePassword({ ...own, ...next, password: next.newPassword }, call)).rejects.toEqual(
    refusal('session.bad-credentials'),
  )
  await expect(changePassword({ ...own, ...toNext('careful12345') }, call)).rejects.toEqual(
    refusal('password.has-account'),
  )
  await changePassword({ ...own, ...next }, call)
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await ended
  await expect(users.signIn('careful')).rejects.toEqual(refusal('session.bad-credentials'))
  await users.handlers.editUserEnableState({ id, state: 0 }, chief)
  const late = { ...own, password: next.newPassword, ...toNext('又一个自己的长密码') }
  await expect(changePassword(late, call)).rejects.toEqual(refusal('session.disabled'))
})

test('changed roles end the sessions at once, unchanged roles do not', async () => {
  const role = await users.roleOf('keeper')
  const { id, uid, version, token, ended } = await signedIn('promoted', { roleIds: [role] })
  await users.handlers.editUser({ id, version, roleIds: [role] }, chief)
  await users.toCall(token)
  const viewer = await users.roleOf('viewer')
  const { version: now, datalist } = await users.handlers.addUserRole(
    { uid, version, roleIds: [viewer] },
    chief,
  )
  expect(datalist.map((one) => one.id).toSorted()).toEqual([role, viewer].toSorted())
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await ended
  const again = await users.signIn('promoted')
  expect((await users.toCall(again)).caller.permissions.has('ps-statsys')).toBe(true)
  await users.handlers.delUserRole({ uid, version: now, roleIds: [viewer] }, chief)
  await expect(users.toCall(again)).rejects.toEqual(expired)
})

test('a deleted account has no sessions, and its name may be used again', async () => {
  const { id, version, token, ended } = await signedIn('deleted', { nodes: [await users.nodeKey('s1')] })
  expect(await users.handlers.deleteUsers({ items: [{ id, version }] }, chief)).toEqual({
    accounts: ['deleted'],
  })
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await ended
  await users.register(chief, 'deleted')
})

test('several accounts are deleted together or not at all', async () => {
  const first = await users.register(chief, 'first')
  const second = await users.register(chief, 'second')
  const items = [first, second].map(({ id, version }) => ({ id, version }))
  const stale = items.map((item, index) => ({ ...item, version: item.version + index }))
  await expect(users.handlers.deleteUsers({ items: stale }, chief)).rejects.toEqual(refusal('entity.stale'))
  expect(await users.handlers.deleteUsers({ items }, chief)).toEqual({ accounts: ['first', 'second'] })
})

test('sessions of an account are listed and ended one by one', async () => {
  const { uid, token } = await signedIn('everywhere')
  const other = await users.signIn('everywhere')
  const { datalist, total } = await users.handlers.getSessions({ uid, limiter: { page: 1, size: 10 } }, chief)
  const { sessionId } = (await users.toCall(token)).caller
  expect(total).toBe(2)
  expect(datalist.find(({ id }) => id === sessionId)).toMatchObject({
    uid,
    address: '10.0.0.1',
    isThis: false,
  })
  await users.handlers.endSessions({ ids: [sessionId] }, chief)
  await expect(users.toCall(token)).rejects.toEqual(expired)
  await users.toCall(other)
})

test('callers cannot disable or delete themselves, change their own roles and grants, or reset their own password', async () => {
  const { accountId: id } = chief.caller
  const [uid, version] = [id, await users.versionOf(id)]
  const grants = { uid, version, nodes: [await users.nodeKey('s1')], deviceIds: [] }
  const roles = { uid, version, roleIds: [await users.roleOf('keeper')] }
  const { handlers } = users
  for (const attempt of [
    () => handlers.editUserEnableState({ id, state: 0 }, chief),
    () => handlers.deleteUsers({ items: [{ id, version }] }, chief),
    () => handlers.addUserRole(roles, chief),
    () => handlers.delUserRole(roles, chief),
    () => handlers.insertUserRoleByTk(roles, chief),
    () => handlers.insertUserDevByTk(grants, chief),
    () => handlers.updateUserDevByTk(grants, chief),
    () => handlers.deleteUserDevByTk(grants, chief),
    () => handlers.resetPassword({ uid, version, ...toGiven('新密码，很长很长的') }, chief),
  ]) {
    await expect(attempt()).rejects.toEqual(refusal('account.yourself'))
  }
})

test('callers cannot give a role with more permissions than their own', async () => {
  const keeper = await users.as('keeper')
  const roleIds = [await users.roleOf('chief')]
  const beyond = refusal('account.beyond-yours', { what: 'chief' })
  await expect(users.register(keeper, 'puppet', { roleIds })).rejects.toEqual(beyond)
  const { id, version } = await users.register(keeper, 'puppet', { roleIds: [await users.roleOf('keeper')] })
  await expect(users.handlers.editUser({ id, version, roleIds }, keeper)).rejects.toEqual(beyond)
  await expect(users.handlers.addUserRole({ uid: id, version, roleIds }, keeper)).rejects.toEqual(beyond)
})

test('a role of another company cannot be given', async () => {
  const company = await users.db
    .insertInto('company')
    .values({ tenant: 'far', name: '远方供热', time_zone: 'Asia/Shanghai' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await users.db.insertInto('role_code').values({ code: 9_001, name: '远' }).execute()
  const role = await users.db
    .insertInto('role')
    .values({ key: null, name: '远', code: 9_001, company_id: company.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await expect(users.register(chief, 'far-role', { roleIds: [role.id] })).rejects.toEqual(
    refusal('role.not-found'),
  )
})

test('an account with more permissions than the caller cannot be edited, disabled, deleted or given a password', async () => {
  const keeper = await users.as('keeper')
  const given = { nodes: [await users.nodeKey('s1')], roleIds: [await users.roleOf('chief')] }
  const { id, version } = await users.register(chief, 'powerful', given)
  const absent = refusal('account.not-found')
  const { handlers } = users
  await expect(handlers.editUser({ id, version, name: 'x' }, keeper)).rejects.toEqual(absent)
  await expect(handlers.editUserEnableState({ id, state: 0 }, keeper)).rejects.toEqual(absent)
  await expect(handlers.deleteUsers({ items: [{ id, version }] }, keeper)).rejects.toEqual(absent)
  await expect(
    handlers.resetPassword({ uid: id, version, ...toGiven('不该被接受的很长密码') }, keeper),
  ).rejects.toEqual(absent)
})

test('a disabled module does not put an account beyond callers who have it too', async () => {
  const given = { nodes: [await users.nodeKey('s1')], roleIds: [await users.roleOf('chief')] }
  const { id } = await users.register(chief, 'equal', given)
  const enable = (enabled: boolean) =>
    users.db.updateTable('module').set({ enabled }).where('url', '=', 'ps-statsys').execute()
  await enable(false)
  try {
    await users.handlers.editUserEnableState({ id, state: 0 }, await users.as('chief'))
  } finally {
    await enable(true)
  }
})

test('the last enabled account that sees everything cannot be disabled, deleted, narrowed or lose its roles, not even by two callers at once', async () => {
  // Without this the demo's administrator would remain.
  await users.db.updateTable('account').set({ enabled: false }).where('account', '=', 'admin').execute()
  const role = await users.roleOf('boss')
  const given = { usrUserType: '100' as const, seesAll: true, roleIds: [role] }
  const rival = await users.register(boss, 'rival', given)
  const asRival = await users.toCall(await users.signIn('rival'))
  const bossId = boss.caller.accountId
  const both = await Promise.allSettled([
    users.handlers.editUserEnableState({ id: rival.id, state: 0 }, boss),
    users.handlers.editUserEnableState({ id: bossId, state: 0 }, asRival),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'account.last-administrator' },
  })
  const winner = both[0]?.status === 'fulfilled' ? boss : asRival
  const loserId = winner === boss ? rival.id : bossId
  await users.handlers.editUserEnableState({ id: loserId, state: 1 }, winner)
  await users.db
    .updateTable('account')
    .set({ enabled: false })
    .where('id', '=', winner.caller.accountId)
    .execute()
  const version = await users.versionOf(loserId)
  const last = refusal('account.last-administrator')
  const { handlers } = users
  await expect(handlers.deleteUsers({ items: [{ id: loserId, version }] }, winner)).rejects.toEqual(last)
  await expect(handlers.editUser({ id: loserId, version, seesAll: false }, winner)).rejects.toEqual(last)
  await expect(handlers.delUserRole({ uid: loserId, version, roleIds: [role] }, winner)).rejects.toEqual(last)
})

test('a reset does not reveal the password of another user', async () => {
  const { id: uid, version } = await users.register(chief, 'guessed')
  const same = toGiven(toPasswordText('guessed'))
  const { account } = await users.handlers.resetPassword({ uid, version, ...same }, chief)
  expect(account).toBe('guessed')
})
