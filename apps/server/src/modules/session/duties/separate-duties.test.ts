import { dutyPages } from '@isotherm/contract/access/duties'
import { permissions } from '@isotherm/contract/access/permissions'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { createAdministrator } from '../create-administrator.pg.ts'
import { toClientHash } from '../sign-in/passwords.ts'
import { separateDuties, toDutyRole } from './separate-duties.pg.ts'

const PASSWORD = '三员各自的很长的密码'
const PASSWORD_OF_CHIEF = 'the first administrator'

let server: TestServer
let chief: string
beforeAll(async () => {
  server = await startTestServer({ settings: { ISOTHERM_SEPARATE_DUTIES: '1' } })
  await createAdministrator(server.db, 'first', PASSWORD_OF_CHIEF)
  chief = (await server.logIn('first', PASSWORD_OF_CHIEF))['ht-api']
})
afterAll(() => server.stop())

const roleId = async (key: string) =>
  (await server.db.selectFrom('role').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id

/** Registers a colleague with roles and signs the colleague in. */
async function appoint(account: string, keys: readonly string[], seesAll = false) {
  const given = { password: toClientHash(PASSWORD), passwordText: PASSWORD, usrUserType: '100' }
  const roleIds = await Promise.all(keys.map(roleId))
  const first = (await server.logIn('first', PASSWORD_OF_CHIEF))['usr-cloud']
  return server.call(endpoints.regUser2, { account, name: account, roleIds, seesAll, ...given }, first)
}

async function signIn(account: string) {
  const tokens = await server.logIn(account, PASSWORD)
  return (name: keyof typeof endpoints, input: unknown) =>
    server.call(endpoints[name], input, tokens[endpoints[name].backend])
}

test('the built-in roles have disjoint pages, and each only those of its duty', async () => {
  for (const [duty, pages] of Object.entries(dutyPages)) {
    const { rows } = await sql<{ permission: string }>`
      select permission from role_permission join role on role.id = role_permission.role_id
      where role.key = ${`${duty}-administrator`} and permission <> 'psys'`.execute(server.db)
    expect(rows.map(({ permission }) => permission).toSorted()).toEqual([...pages].toSorted())
  }
})

test('the first administrator is a security administrator and appoints the others', async () => {
  for (const [account, duty] of [
    ['sys', 'system'],
    ['aud', 'audit'],
  ] as const) {
    expect((await appoint(account, [toDutyRole(duty)], true)).code).toBeUndefined()
  }
  expect((await appoint('worker', ['dispatcher'])).code).toBeUndefined()
  expect((await server.call(endpoints.getOperations, { limiter: { page: 1, size: 10 } }, chief)).code).toBe(
    'access.denied',
  )
})

test('each of the three is refused what the others may do', async () => {
  const [system, audit] = [await signIn('sys'), await signIn('aud')]
  const limiter = { page: 1, size: 10 }
  const log = (await audit('getOperations', { limiter })).data
  expect(JSON.stringify(log)).toContain('regUser2')
  expect((await system('getOperations', { limiter })).code).toBe('access.denied')
  expect((await system('getEntityHistory', { entity: 'account', entityId: '1', limiter })).code).toBe(
    'access.denied',
  )
  for (const call of [system, audit]) {
    expect((await call('getUsers', { pageSize: 10 })).code).toBe('access.denied')
    expect((await call('addRole', { name: 'x', code: 101, moduleIds: [] })).code).toBe('access.denied')
  }
  expect((await system('getInterfaces', {})).code).toBeUndefined()
  for (const call of [system, audit])
    expect(await call('getDuties', {})).toMatchObject({ data: { areSeparate: true } })
  expect((await audit('getInterfaces', {})).code).toBe('access.denied')
})

test.each(['system', 'audit'] as const)('nobody holds security and %s administration', async (duty) => {
  const both = [toDutyRole('security'), toDutyRole(duty)]
  expect((await appoint(`both-${duty}`, both)).code).toBe('access.separate-duties')
})

test('an account with one duty gets no second one, and no role combines two', async () => {
  const found = server.db.selectFrom('account').select(['id', 'version']).where('account', '=', 'sys')
  const { id: uid, version } = await found.executeTakeFirstOrThrow()
  const roleIds = [await roleId(toDutyRole('audit'))]
  expect((await server.call(endpoints.addUserRole, { uid, version, roleIds }, chief)).code).toBe(
    'access.separate-duties',
  )
  const combining = sql`insert into role_permission (role_id, permission)
    select id, 'ps-oplogsys' from role where key = ${toDutyRole('system')}`.execute(server.db)
  await expect(combining).rejects.toMatchObject({ constraint: 'separate_duties' })
})

test('two roles that an account gets at the same time do not combine duties', async () => {
  const id = await server.createAccount('torn', [], [], 'provider')
  const give = async (duty: 'system' | 'audit') => {
    const role = await roleId(toDutyRole(duty))
    return server.db.transaction().execute(async (transaction) => {
      await sql`insert into account_role values (${id}, ${role})`.execute(transaction)
      await sql`select pg_sleep(0.2)`.execute(transaction)
    })
  }
  const given = await Promise.allSettled([give('system'), give('audit')])
  expect(given.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the log cannot be changed, not even in the database by the product', async () => {
  for (const change of [sql`update operation set account = 'nobody'`, sql`delete from operation`]) {
    await expect(change.execute(server.db)).rejects.toThrow('the operation log is only added to')
  }
})

test('off again, the administrator role has all its pages; on again, it has lost them', async () => {
  const pagesOf = async () => {
    const { rows } = await sql<{ permission: string }>`
      select permission from role_permission where role_id = ${await roleId('administrator')}`.execute(
      server.db,
    )
    return rows.map(({ permission }) => permission).toSorted()
  }
  const dutiful: readonly string[] = Object.values(dutyPages).flat()
  const rest = permissions.filter((permission) => !dutiful.includes(permission)).toSorted()
  expect(await pagesOf()).toEqual(rest)
  await separateDuties(server.db, false)
  expect(await pagesOf()).toEqual(permissions.toSorted())
  const audit = await signIn('aud')
  expect(await audit('getDuties', {})).toMatchObject({ data: { areSeparate: false } })
  await separateDuties(server.db, true)
  expect(await pagesOf()).toEqual(rest)
})

test('the switch refuses to decide for an account that holds two duties by two roles', async () => {
  await separateDuties(server.db, false)
  const { rows } = await sql<{ id: number }>`select id from account where account = 'worker'`.execute(
    server.db,
  )
  const id = rows[0]?.id ?? 0
  await sql`insert into account_role select ${id}, id from role
    where key in (${toDutyRole('system')}, ${toDutyRole('audit')})`.execute(server.db)
  await expect(separateDuties(server.db, true)).rejects.toThrow(/worker/)
  await sql`delete from account_role where account_id = ${id}`.execute(server.db)
  await separateDuties(server.db, true)
})
