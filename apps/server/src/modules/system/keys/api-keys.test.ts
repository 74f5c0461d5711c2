import { type Permission, permissions } from '@isotherm/contract/access/permissions'
import { toUrlPath } from '@isotherm/contract/endpoint'
import {
  addApiKey,
  apiKey,
  keyPermissions,
  MAX_KEYS,
} from '@isotherm/contract/endpoints/administration/api-keys'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer, type Tokens } from '../../../testing/server.testkit.ts'
import { toClientHash } from '../../session/index.ts'
import { isSwitchable } from '../interfaces/disabled-interfaces.pg.ts'
import { isApiKey } from './key-access.pg.ts'

let server: TestServer
let beside: TestServer
let keeper: Tokens
let colleague: Tokens
let keeperId: number

const ofKeeper: readonly Permission[] = [
  'ps-interfacesys',
  'pe-fmreal',
  'pe-fmcontrol',
  'pd-fmdevmanager',
  'pu-usersetting',
  'ps-oplogsys',
]

beforeAll(async () => {
  server = await startTestServer()
  beside = await startTestServer({ beside: server })
  keeperId = await server.createAccount('keeper', ofKeeper, ['p'])
  await server.createAccount('colleague', permissions, ['s2'])
  keeper = await server.logIn('keeper')
  colleague = await server.logIn('colleague')
})
afterAll(async () => {
  await beside.stop()
  await server.stop()
})

const call = (name: EndpointName, input: unknown, token: string, at = server) =>
  at.call(endpoints[name], input, token)

const asKeeper = (name: EndpointName, input: unknown) => call(name, input, keeper[endpoints[name].backend])

const toInput = (over: Partial<z.input<typeof addApiKey.input>> = {}) => ({
  name: '气象平台',
  permissions: ['pe-fmreal', 'pd-fmdevmanager'],
  expiresAt: Date.now() + DAY_MS,
  ...over,
})

async function add(over: Partial<z.input<typeof addApiKey.input>> = {}) {
  const { code, text, data } = await asKeeper('addApiKey', toInput(over))
  if (code !== undefined) throw new Error(text)
  return addApiKey.output.parse(data)
}

async function listKeys() {
  const { data } = await asKeeper('getApiKeys', {})
  return z.object({ datalist: z.array(apiKey) }).parse(data).datalist
}

const devices = z.object({ datalist: z.array(z.object({ imei: z.string() })) })
async function devicesOf(key: string): Promise<readonly string[]> {
  const { data, text, code } = await call('getDev', {}, key)
  if (code !== undefined) throw new Error(text)
  return devices
    .parse(data)
    .datalist.map(({ imei }) => imei)
    .sort()
}

test('a key opens both backends in the name of its account', async () => {
  const { key } = await add()
  expect((await call('getUser', {}, key)).data).toMatchObject({ account: 'keeper' })
  expect((await call('getAllModulesU', {}, key)).code).toBeUndefined()
  expect((await call('getDev', {}, key)).code).toBeUndefined()
  expect((await call('getDev', {}, key, beside)).code).toBeUndefined()
})

test('the key is shown once and stored only as a hash', async () => {
  const { key, record } = await add()
  expect(key).toMatch(/^ik_[\w-]{43}$/)
  expect(record.start).toBe(key.slice(0, 8))
  expect(JSON.stringify(await listKeys())).not.toContain(key)
  // The hash as base64 too: no column may contain the key in any form.
  const { rows } = await sql`select api_key::text || encode(hash, 'base64') as whole from api_key`.execute(
    server.db,
  )
  expect(JSON.stringify(rows)).not.toContain(key)
  const log = await asKeeper('getOperations', { endpoint: 'addApiKey' })
  expect(log.body).not.toContain(key)
})

test('a key has only the chosen permissions, and never more than its account has now', async () => {
  const { key } = await add({ permissions: ['pe-fmreal'] })
  expect((await call('getAlarmRules', { nodes: [] }, key)).code).toBe('access.denied')
  expect((await call('getUsers', {}, key)).code).toBe('access.denied')
  const { key: other } = await add({ permissions: ['pd-fmdevmanager'] })
  expect((await call('getDev', {}, other)).code).toBeUndefined()
  const taken = server.db.deleteFrom('role_permission').where('permission', '=', 'pd-fmdevmanager')
  const { role_id } = await server.db
    .selectFrom('role_permission')
    .innerJoin('account_role', 'account_role.role_id', 'role_permission.role_id')
    .select('role_permission.role_id')
    .where('account_role.account_id', '=', keeperId)
    .executeTakeFirstOrThrow()
  await taken.where('role_id', '=', role_id).execute()
  expect((await call('getDev', {}, other)).code).toBe('access.denied')
  await server.db.insertInto('role_permission').values({ role_id, permission: 'pd-fmdevmanager' }).execute()
})

test('a key sees only its nodes; after they are deleted it sees nothing', async () => {
  const { key: whole } = await add()
  const { key, record } = await add({ nodes: [await server.nodeKey('s1')] })
  expect(record.nodes).toHaveLength(1)
  const all = await devicesOf(whole)
  const some = await devicesOf(key)
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(all.length)
  await sql`delete from api_key_node where key_id = ${record.id}`.execute(server.db)
  expect(await devicesOf(key)).toEqual([])
})

test('a read-only key changes nothing; another one does, and the log names it', async () => {
  const { key } = await add({ permissions: ['pe-fmcontrol', 'pd-fmdevmanager'] })
  const input = { ids: [], token: undefined }
  expect((await call('deleteCtlCmd', input, key)).code).toBe('api-key.not-allowed')
  const { key: writing } = await add({ name: '调度系统', permissions: ['pd-fmdevmanager'], readOnly: false })
  const model = { kind: 'valve', name: '由程序新增' }
  const added = await call('addDevModel', model, writing)
  expect(added.code).not.toBe('api-key.not-allowed')
  const { data } = await asKeeper('getOperations', { endpoint: 'addDevModel' })
  expect(JSON.stringify(data)).toContain('· 调度系统')
})

test.each(['refreshToken', 'reflushToken', 'logout', 'addUserOp'] as const)(
  'a key cannot call %s, which concerns a session or the account',
  async (name) => {
    const { key } = await add({ readOnly: false })
    const input = { logout: { opType: 1 }, addUserOp: { path: '/x' } }[name as string] ?? {}
    expect((await call(name, input, key)).code).toBe('api-key.not-allowed')
  },
)

test('an unknown, expired or deleted key is refused at once on every replica', async () => {
  expect((await call('getUser', {}, `ik_${'a'.repeat(43)}`)).code).toBe('api-key.invalid')
  const { key, record } = await add()
  expect((await call('getUser', {}, key, beside)).code).toBeUndefined()
  const { id, version } = record
  expect((await asKeeper('deleteApiKey', { id, version })).data).toEqual({ deleted: 1 })
  expect((await call('getUser', {}, key)).code).toBe('api-key.invalid')
  expect((await call('getUser', {}, key, beside)).code).toBe('api-key.invalid')
  const { key: short } = await add({ expiresAt: Date.now() + 5_000 })
  expect((await call('getUser', {}, short)).code).toBeUndefined()
  await expect.poll(async () => (await call('getUser', {}, short)).code).toBe('api-key.invalid')
})

test('a key of a disabled account is refused', async () => {
  const { key } = await add()
  const set = (enabled: boolean) =>
    server.db.updateTable('account').set({ enabled }).where('id', '=', keeperId).execute()
  await set(false)
  expect((await call('getUser', {}, key)).code).toBe('api-key.invalid')
  await set(true)
  expect((await call('getUser', {}, key)).code).toBeUndefined()
})

test('calls above the limit of a minute are refused', async () => {
  const { key } = await add({ callsPerMinute: 2 })
  const codes: (string | undefined)[] = []
  // The minute can end in between; then it takes one more round.
  for (let count = 0; count < 6; count += 1) codes.push((await call('getUser', {}, key)).code)
  expect(codes).toContain('request.too-many')
  expect(codes.filter((code) => code === undefined).length).toBeLessThanOrEqual(4)
})

test('the last use of a key is listed', async () => {
  const { key, record } = await add()
  const find = async () => (await listKeys()).find(({ id }) => id === record.id)
  expect((await find())?.lastUsedAt).toBeNull()
  await call('getUser', {}, key)
  expect((await find())?.lastUsedAt).toBeGreaterThan(Date.now() - 60_000)
})

test.each([
  ['a permission the caller lacks', { permissions: ['pc-caldata'] }, 'access.denied'],
  ['a permission of user administration', { permissions: ['pu-usersetting'] }, 'access.denied'],
  ['a permission of system administration', { permissions: ['ps-interfacesys'] }, 'access.denied'],
  ['an expiry in the past', { expiresAt: 1_000 }, 'api-key.bad-expiry'],
  ['an expiry too far ahead', { expiresAt: Date.now() + 3_000 * DAY_MS }, 'api-key.bad-expiry'],
  ['an unknown node', { nodes: ['987654321'] }, 'node.not-found'],
])('a key with %s is refused', async (_what, over, code) => {
  expect((await asKeeper('addApiKey', toInput(over))).code).toBe(code)
})

test('a user who does not manage the account neither sees nor deletes its keys', async () => {
  const { record } = await add()
  const { data } = await call('getApiKeys', {}, colleague['ht-api'])
  expect(JSON.stringify(data)).not.toContain(record.start)
  const { id, version } = record
  expect((await call('deleteApiKey', { id, version }, colleague['ht-api'])).code).toBe('api-key.not-found')
})

/** An account that may manage keys, with a key of it. */
async function addKeeper(account: string, nodes: readonly string[] = ['p']) {
  const id = await server.createAccount(account, ['ps-interfacesys', 'pe-fmreal'], nodes)
  const tokens = await server.logIn(account)
  const { data } = await call('addApiKey', toInput({ permissions: ['pe-fmreal'] }), tokens['ht-api'])
  return { id, tokens, ...addApiKey.output.parse(data) }
}

test('a new password of the account ends its keys', async () => {
  const { key } = await addKeeper('renewer')
  expect((await call('getUser', {}, key)).code).toBeUndefined()
  const newPasswordText = 'another-long-one'
  const next = { newPassword: toClientHash(newPasswordText), newPasswordText }
  const own = { username: 'renewer', password: toClientHash('renewer') }
  const changed = await call('changePassword', { ...own, ...next }, '')
  expect(changed.data).toEqual({ account: 'renewer' })
  expect((await call('getUser', {}, key)).code).toBe('api-key.invalid')
})

test('a key ends with the right of its account to manage keys', async () => {
  const { id, key } = await addKeeper('demoted')
  await sql`
    delete from role_permission where permission = 'ps-interfacesys'
      and role_id in (select role_id from account_role where account_id = ${id})`.execute(server.db)
  expect((await call('getUser', {}, key)).code).toBe('api-key.invalid')
})

test('a user with fewer permissions sees the keys of an account but cannot delete them', async () => {
  const { record } = await add()
  const { tokens } = await addKeeper('peer')
  const { data } = await call('getApiKeys', {}, tokens['ht-api'])
  const { datalist } = z.object({ datalist: z.array(apiKey) }).parse(data)
  expect(datalist.find(({ id }) => id === record.id)).toMatchObject({ abilities: [] })
  expect(datalist.find(({ account }) => account === 'peer')).toMatchObject({ abilities: ['delete'] })
  const { id, version } = record
  expect((await call('deleteApiKey', { id, version }, tokens['ht-api'])).code).toBe('api-key.not-found')
})

test('an account has at most fifty keys', async () => {
  const { id, tokens } = await addKeeper('collector')
  await sql`
    insert into api_key (account_id, name, start, hash, permissions, read_only, is_restricted, calls_per_minute,
      created_at, expires_at)
    select ${id}, 'made', 'ik_', sha256(n::text::bytea), '{}', true, false, 1, now(), now()
    from generate_series(1, ${MAX_KEYS - 1}) n`.execute(server.db)
  const { code } = await call('addApiKey', toInput({ permissions: ['pe-fmreal'] }), tokens['ht-api'])
  expect(code).toBe('api-key.too-many')
})

test.each([
  ['an import, which runs later with the access of the account', 'excelAdd', {}],
  ['the imports of the account', 'getTransfers', {}],
  ['the lasting credentials of a concentrator', 'showGatewayLogin', { id: 1 }],
  ['a strategy, which would outlive the key', 'addStrategy', {}],
  ['a campaign, which would outlive the key', 'approveCampaign', {}],
] as const)('a key cannot use %s', async (_what, name, input) => {
  const { key } = await add({ readOnly: false, permissions: ['pd-fmdevmanager', 'pe-fmcontrol'] })
  expect((await call(name, input, key)).code).toBe('api-key.not-allowed')
})

test('a restricted key sees no grant of its account outside its nodes', async () => {
  const { key: whole } = await add()
  const { key } = await add({ nodes: [await server.nodeKey('s1')] })
  expect((await call('getResByTK', {}, whole)).data).toMatchObject({ nodeTotal: 1 })
  expect((await call('getResByTK', {}, key)).data).toMatchObject({ nodeTotal: 0, nodes: [] })
})

test('a key is taken from a header, never from the query of a URL', async () => {
  const { key } = await add()
  const path = `${toUrlPath(endpoints.refreshToken)}?token=${key}`
  const answer: unknown = await (await fetch(`${server.base}${path}`)).json()
  expect(JSON.stringify(answer)).toContain('接口密钥无效或已过期')
})

test('a token of a session that starts like a key is none', () => {
  expect(isApiKey(`ik_${'a'.repeat(40)}`)).toBe(false)
  expect(isApiKey(`ik_${'a'.repeat(43)}`)).toBe(true)
})

test('public calls cannot be disabled: nobody could change a password any more', () => {
  expect(isSwitchable('changePassword')).toBe(false)
  expect(isSwitchable('getDev')).toBe(true)
})

test('no key administers users or the system', () => {
  expect(
    keyPermissions.some((permission) => permission === 'pu-usersetting' || permission === 'ps-rolesys'),
  ).toBe(false)
  expect(keyPermissions).toContain('ps-statsys')
})
