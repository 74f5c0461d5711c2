import { permissions } from '@isotherm/contract/access/permissions'
import type { InputOf } from '@isotherm/contract/endpoint'
import { getUsers, type User } from '@isotherm/contract/endpoints/administration/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { toClientHash } from '../../session/index.ts'
import { refusal, startUsers, type TestUsers, toGiven, toPassword, toPasswordText } from '../users.testkit.ts'

let users: TestUsers
let boss: Call
let chief: Call
let keeper: Call

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('boss', permissions, [], 'provider')
  await users.createAccount('chief', permissions, ['p'])
  await users.createAccount('keeper', ['pu-usersetting', 'pe-fmreal'], ['s1'])
  boss = await users.as('boss')
  chief = await users.as('chief')
  keeper = await users.as('keeper')
})
afterAll(() => users.close())

const list = async (call: Call, query: Partial<InputOf<typeof getUsers>> = {}): Promise<User[]> => {
  const input = getUsers.input.parse({
    pageNo: 1,
    pageSize: 9_999,
    resultListType: 1,
    systemId: 301,
    ...query,
  })
  return (await users.handlers.getUsers(input, call)).list
}
const namesOf = (found: readonly User[]): string[] => found.map(({ account }) => account)

test('§3 User info: id, account, pAccount, sysrole (default 101), tel, type_id, usrUserLevel, usrUserType, projectIds', async () => {
  const { id } = await users.register(chief, 'li', { tel: '13800000000', nodes: [await users.nodeKey('b2')] })
  const [li] = await list(chief, { account: 'li' })
  expect(li).toMatchObject({
    id,
    account: 'li',
    pAccount: 'demo',
    sysrole: 101,
    tel: '13800000000',
    type_id: 1,
    usrUserLevel: 1,
    usrUserType: '01',
    projectIds: [await users.nodeId('p')],
    enabled: true,
    seesAll: false,
    parentId: null,
    roles: [],
    version: 1,
  })
})

test('§3 Account list query: `account` matches a part of the account, name or phone number; `locked` selects disabled accounts; each page states the total', async () => {
  await users.register(chief, 'Zhang-1', { name: '张三', tel: '13911112222' })
  const { id, version } = await users.register(chief, 'zhang-2', { name: '张四' })
  await users.handlers.editUserEnableState({ id, version, state: 0 }, chief)
  expect(namesOf(await list(chief, { account: 'ZHANG' }))).toEqual(['Zhang-1', 'zhang-2'])
  expect(namesOf(await list(chief, { account: '张四' }))).toEqual(['zhang-2'])
  expect(namesOf(await list(chief, { account: '1111' }))).toEqual(['Zhang-1'])
  expect(namesOf(await list(chief, { account: 'zhang', locked: 1 }))).toEqual(['zhang-2'])
  expect(namesOf(await list(chief, { account: 'zhang', locked: 0 }))).toEqual(['Zhang-1'])
  const query = getUsers.input.parse({ account: 'zhang', pageNo: 2, pageSize: 1 })
  const page = await users.handlers.getUsers(query, chief)
  expect([namesOf(page.list), page.total]).toEqual([['zhang-2'], 2])
})

test('§3 Sub-account query: disReturnusrUserTypeArr [100], isGetSubAccountInfo 1, isGetUserSelf 1, resultListType 0, usrUserType 01', async () => {
  const nodes = [await users.nodeKey('s1')]
  await users.register(chief, 'parent', { nodes })
  await users.register(chief, 'sub-b', { secAccount: 'parent', nodes, name: '乙' })
  await users.register(chief, 'sub-a', { secAccount: 'parent', nodes, name: '丙' })
  const query = {
    disReturnusrUserTypeArr: [100 as const],
    isGetSubAccountInfo: 1 as const,
    usrUserType: '01' as const,
  }
  const ofParent = { ...query, subAccount: 'parent' }
  expect(namesOf(await list(chief, ofParent))).toEqual(['sub-a', 'sub-b'])
  expect(namesOf(await list(chief, { ...ofParent, isGetUserSelf: 1 }))).toEqual(['parent', 'sub-a', 'sub-b'])
  expect((await list(chief, ofParent)).map(({ pAccount, usrUserLevel }) => [pAccount, usrUserLevel])).toEqual(
    [
      ['parent', 2],
      ['parent', 2],
    ],
  )
  expect(await list(chief, query)).toEqual([])
  const { id } = await users.register(chief, 'own-sub', { secAccount: 'chief' })
  expect((await list(chief, query)).map((user) => user.id)).toEqual([id])
})

test('§9 User type filter 01, excluded type 100: staff of the provider and staff of companies are listed separately', async () => {
  await users.register(boss, 'provider-1', { usrUserType: '100' })
  const kinds = async (query: Partial<InputOf<typeof getUsers>>) =>
    [...new Set((await list(boss, query)).map(({ usrUserType }) => usrUserType))].toSorted()
  expect(await kinds({})).toEqual(['01', '100'])
  expect(await kinds({ usrUserType: '01' })).toEqual(['01'])
  expect(await kinds({ disReturnusrUserTypeArr: [100] })).toEqual(['01'])
  expect(await kinds({ usrUserType: '100' })).toEqual(['100'])
})

test('a caller who is granted a part of the tree sees the accounts with grants inside it, and manages those without permissions that the caller lacks', async () => {
  const role = await users.roleOf('keeper')
  await users.register(chief, 'here', { nodes: [await users.nodeKey('b2')], roleIds: [role] })
  await users.register(chief, 'powerful', {
    nodes: [await users.nodeKey('b2')],
    roleIds: [await users.roleOf('chief')],
  })
  await users.register(chief, 'there', { nodes: [await users.nodeKey('s2')] })
  await users.register(chief, 'device-there', { deviceIds: [await users.deviceId('V-b3u1')] })
  const seen = await list(keeper)
  expect(namesOf(seen)).toEqual(expect.arrayContaining(['here', 'keeper', 'powerful']))
  expect(namesOf(seen)).not.toEqual(expect.arrayContaining(['there']))
  expect(namesOf(seen)).not.toContain('device-there')
  expect(namesOf(seen)).not.toContain('chief')
  expect(namesOf(seen)).not.toContain('boss')
  const abilities = Object.fromEntries(seen.map((user) => [user.account, user.abilities]))
  expect(abilities.here).toContain('reset-password')
  expect(abilities.powerful).toEqual([])
  expect(abilities.keeper).toEqual(['edit', 'end-sessions'])
})

test('§6 staff of the provider are managed only with the permission of their own page, and never by a company', async () => {
  const register = (call: Call, account: string, given: Parameters<TestUsers['register']>[2]) =>
    users.register(call, account, given)
  await expect(register(chief, 'spy', { usrUserType: '100' })).rejects.toEqual(
    refusal('account.beyond-yours', { what: 'usrUserType 100' }),
  )
  await users.register(boss, 'clerk', {
    usrUserType: '100',
    nodes: [await users.nodeKey('p')],
    roleIds: [await users.roleOf('keeper')],
  })
  const clerk = await users.toCall(await users.signIn('clerk'))
  await expect(register(clerk, 'spy', { usrUserType: '100' })).rejects.toEqual(refusal('access.denied'))
  expect(
    new Set((await list(clerk)).map(({ usrUserType, account }) => `${usrUserType} ${account === 'clerk'}`)),
  ).toEqual(new Set(['01 false', '100 true']))
  await expect(register(clerk, 'spy', { seesAll: true })).rejects.toEqual(
    refusal('account.beyond-yours', { what: 'seesAll' }),
  )
})

test('an account gets the company of its creator or of its grants; otherwise the company must be named', async () => {
  await importRegistry(users.db, createRegistry('other'))
  const companies = await users.db.selectFrom('company').select(['id', 'tenant']).orderBy('id').execute()
  const [demo, other] = companies.map(({ id }) => id)
  const companyOf = async (id: number) => (await list(boss)).find((user) => user.id === id)?.companyId
  expect(await companyOf((await users.register(chief, 'of-chief')).id)).toBe(demo)
  const device = await users.db
    .selectFrom('device')
    .select('id')
    .where('company_id', '=', Number(other))
    .executeTakeFirstOrThrow()
  expect(await companyOf((await users.register(boss, 'of-device', { deviceIds: [device.id] })).id)).toBe(
    other,
  )
  expect(await companyOf((await users.register(boss, 'of-name', { companyId: Number(other) })).id)).toBe(
    other,
  )
  await expect(users.register(boss, 'of-nothing')).rejects.toEqual(refusal('company.not-found'))
  const both = [
    device.id,
    await users.db
      .selectFrom('device')
      .select('id')
      .where('company_id', '=', Number(demo))
      .executeTakeFirstOrThrow()
      .then(({ id }) => id),
  ]
  await expect(users.register(boss, 'of-both', { deviceIds: both })).rejects.toEqual(
    refusal('company.not-found'),
  )
  await expect(
    users.register(boss, 'mixed', { companyId: Number(demo), deviceIds: [device.id] }),
  ).rejects.toEqual(refusal('device.not-found'))
})

test('account names are unique, case-insensitive, also in simultaneous registrations', async () => {
  await users.register(chief, 'Wang')
  await expect(users.register(chief, 'wang')).rejects.toEqual(refusal('entity.taken', { field: 'account' }))
  const both = await Promise.allSettled([1, 2].map(() => users.register(chief, 'twin')))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'entity.taken' } })
})

test.each([
  ['isotherm-demo', 'account.weak-password'],
  ['1234567890', 'account.weak-password'],
  ['123456', 'password.too-short'],
  ['WEAK-1-2026-spring', 'password.has-account'],
] as const)('the password %s is refused for weak-1', async (text, code) => {
  await expect(users.register(chief, 'weak-1', toGiven(text))).rejects.toEqual(refusal(code))
})

test('a hash of another text is refused, so that a weak password cannot pass as a strong one', async () => {
  const forged = { ...toGiven('一个又长又好的密码'), password: toClientHash('123456') }
  await expect(users.register(chief, 'forged', forged)).rejects.toEqual(refusal('password.not-its-hash'))
})

test('the server stores Argon2id of a password, and no operation log entry contains it', async () => {
  const { id } = await users.register(chief, 'hashed')
  const stored = users.db.selectFrom('account').select('password_hash').where('id', '=', id)
  expect((await stored.executeTakeFirstOrThrow()).password_hash).toMatch(/^\$argon2id\$/)
  const noted = await users.db
    .selectFrom('operation_change')
    .selectAll()
    .where('entity_id', '=', String(id))
    .execute()
  expect(noted.map(({ entity, action }) => [entity, action])).toEqual([['account', 'added']])
  expect(JSON.stringify(noted)).not.toMatch(/argon2id|password_hash/)
  expect(JSON.stringify(noted)).not.toContain(toPassword('hashed'))
  expect(JSON.stringify(noted)).not.toContain(toPasswordText('hashed'))
})

test('an edit changes the given fields and leaves the rest', async () => {
  const { id, version } = await users.register(chief, 'edited', { name: '旧名', tel: '13700000000' })
  const edited = await users.handlers.editUser({ id, version, name: '新名' }, chief)
  expect(edited).toEqual({ id, account: 'edited', version: version + 1 })
  expect((await list(chief, { account: 'edited' }))[0]).toMatchObject({ name: '新名', tel: '13700000000' })
  await expect(users.handlers.editUser({ id, version, name: '另一个' }, chief)).rejects.toEqual(
    refusal('entity.stale', { what: 'account', by: 'chief', fields: 'name' }),
  )
})

test('callers may change their own name but not their rights', async () => {
  const { accountId: id } = keeper.caller
  const version = await users.versionOf(id)
  await users.handlers.editUser({ id, version, name: '守护' }, keeper)
  for (const change of [{ roleIds: [] }, { secAccount: null }, { seesAll: true }]) {
    await expect(users.handlers.editUser({ id, version: version + 1, ...change }, keeper)).rejects.toEqual(
      refusal('account.yourself'),
    )
  }
})

test('an account only joins an organisation of its own company', async () => {
  const add = (companyId: number, name: string) =>
    users.db
      .insertInto('organisation')
      .values({ company_id: companyId, parent_id: null, name })
      .returning('id')
      .executeTakeFirstOrThrow()
  const [demo, other] = await users.db.selectFrom('company').select('id').orderBy('id').execute()
  const own = await add(Number(demo?.id), '运行部')
  const foreign = await add(Number(other?.id), '运行部')
  const { id, version } = await users.register(chief, 'organised', { organisationId: own.id })
  expect((await list(chief, { account: 'organised' }))[0]?.organisationId).toBe(own.id)
  const move = { id, version, organisationId: foreign.id }
  await expect(users.handlers.editUser(move, boss)).rejects.toEqual(refusal('organisation.not-found'))
  await users.handlers.editUser({ id, version, organisationId: null }, chief)
  expect((await list(chief, { account: 'organised' }))[0]?.organisationId).toBeNull()
})
