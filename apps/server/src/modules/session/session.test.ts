import { seededRoles } from '@isotherm/contract/access/roles'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCall, createTestPublicCall } from '../../platform/http/call.testkit.ts'
import { createRegistry, createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { importRegistry } from '../devices/import/import-registry.testkit.ts'
import { createAdministrator, createSession, findPasswordFault } from './index.ts'
import { toClientHash } from './sign-in/passwords.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
  await core.createAccount('li', ['pewph', 'pe-fmreal'], ['s2'])
})
afterAll(() => core.close())

const callFrom = (address: string, browser = 'browser-1') => createTestPublicCall({ address, browser })
const logIn = (account: string, password: string, address = '10.0.0.1', backend = 'usr-cloud' as const) =>
  core.session.login(backend, { username: account, password: toClientHash(password) }, callFrom(address))
const refusal = (code: string) => expect.objectContaining({ code })

test('a token is valid for its own backend only', async () => {
  const { token } = await logIn('li', 'li')
  const caller = await core.session.authenticate('usr-cloud', token)
  expect(caller).toMatchObject({ account: 'li', scope: { kind: 'paths', paths: [await core.pathOf('s2')] } })
  expect([...caller.permissions].toSorted()).toEqual(['pe-fmreal', 'pewph'])
  await expect(core.session.authenticate('ht-api', token)).rejects.toEqual(refusal('session.expired'))
})

test('spaces around an account name are ignored', async () => {
  expect((await logIn('  li ', 'li')).token).toBeTruthy()
})

test('neither token nor password is stored in plain text', async () => {
  const { token } = await logIn('li', 'li')
  const stored = JSON.stringify([
    await core.db.selectFrom('token').selectAll().execute(),
    await core.db.selectFrom('account').selectAll().execute(),
  ])
  expect(stored).not.toContain(token)
  expect(stored).not.toContain(toClientHash('li'))
  expect(stored).toContain('$argon2id$')
})

test.each([
  ['li', 'wrong'],
  ['nobody', 'li'],
])('account %s with password %s is refused with the same answer', async (account, password) => {
  await expect(logIn(account, password, '10.0.0.2')).rejects.toEqual(refusal('session.bad-credentials'))
})

test('a token expires after two hours', async () => {
  const { token } = await logIn('li', 'li')
  core.clock.advance(2 * HOUR_MS - 1)
  expect((await core.session.authenticate('usr-cloud', token)).account).toBe('li')
  core.clock.advance(1)
  await expect(core.session.authenticate('usr-cloud', token)).rejects.toEqual(refusal('session.expired'))
})

test('an exchanged token is valid for two more hours, the old one for a minute', async () => {
  const { token } = await logIn('li', 'li')
  core.clock.advance(90 * MINUTE_MS)
  const caller = await core.session.authenticate('usr-cloud', token)
  const next = await core.session.exchange('usr-cloud', createTestCall(caller))
  expect((await core.session.authenticate('usr-cloud', token)).sessionId).toBe(caller.sessionId)
  core.clock.advance(60_000)
  await expect(core.session.authenticate('usr-cloud', token)).rejects.toEqual(refusal('session.expired'))
  expect((await core.session.authenticate('usr-cloud', next.token)).sessionId).toBe(caller.sessionId)
  expect((await core.session.findAccess([caller.sessionId])).get(caller.sessionId)?.endsAt).toBe(
    next.expiresAt,
  )
})

test('a session is prolonged for thirty days, and then its user signs in again', async () => {
  const { token } = await logIn('li', 'li')
  const { sessionId } = await core.session.authenticate('usr-cloud', token)
  const exchange = async (from: string) =>
    core.session.exchange('usr-cloud', createTestCall(await core.session.authenticate('usr-cloud', from)))
  const openBefore = (ageMs: number) =>
    core.db
      .updateTable('session')
      .set({ created_at: new Date(core.clock.now() - ageMs) })
      .where('id', '=', sessionId)
      .execute()
  await openBefore(30 * DAY_MS)
  const next = await exchange(token)
  await openBefore(30 * DAY_MS + 1)
  await expect(exchange(next.token)).rejects.toEqual(refusal('session.expired'))
  // What it has stays valid until its own end.
  expect((await core.session.authenticate('usr-cloud', next.token)).sessionId).toBe(sessionId)
})

test('the hash of a token ends its session, and signs nobody in', async () => {
  const { token } = await logIn('li', 'li')
  const hash = toClientHash(token)
  await expect(core.session.authenticate('usr-cloud', hash)).rejects.toEqual(refusal('session.expired'))
  await core.session.endByHashes([toClientHash('unknown'), hash])
  await expect(core.session.authenticate('usr-cloud', token)).rejects.toEqual(refusal('session.expired'))
  // It is over already.
  await core.session.endByHashes([hash])
})

test('both logins of a browser share one session, and logout ends both tokens', async () => {
  const first = await logIn('li', 'li')
  const credentials = { username: 'li', password: toClientHash('li') }
  const second = await core.session.login('ht-api', credentials, callFrom('10.0.0.1'))
  const elsewhere = await core.session.login('ht-api', credentials, callFrom('10.0.0.1', 'browser-2'))
  const caller = await core.session.authenticate('usr-cloud', first.token)
  expect((await core.session.authenticate('ht-api', second.token)).sessionId).toBe(caller.sessionId)
  const ended: unknown[] = []
  const stop = core.session.onEnded((id) => ended.push(id))
  await core.session.logout(caller)
  await expect(core.session.authenticate('usr-cloud', first.token)).rejects.toEqual(
    refusal('session.expired'),
  )
  await expect(core.session.authenticate('ht-api', second.token)).rejects.toEqual(refusal('session.expired'))
  expect((await core.session.authenticate('ht-api', elsewhere.token)).account).toBe('li')
  expect(await core.session.findAccess([caller.sessionId])).toEqual(new Map())
  await expect.poll(() => ended).toEqual([caller.sessionId])
  stop()
})

test('a disabled account is refused as disabled, and its tokens end at once', async () => {
  await core.createAccount('wang', [], [])
  const { token } = await logIn('wang', 'wang')
  await core.db.updateTable('account').set({ enabled: false }).where('account', '=', 'wang').execute()
  await expect(core.session.authenticate('usr-cloud', token)).rejects.toEqual(refusal('session.expired'))
  await expect(logIn('wang', 'wang')).rejects.toEqual(refusal('session.disabled'))
  await expect(logIn('wang', 'guess')).rejects.toEqual(refusal('session.bad-credentials'))
})

test('one call finds the present grants and permissions of many sessions', async () => {
  await core.createAccount('zhou', ['pe-fmreal'], ['s1'])
  const { token } = await logIn('zhou', 'zhou')
  const { sessionId, accountId } = await core.session.authenticate('usr-cloud', token)
  const other = await core.session.authenticate('usr-cloud', (await logIn('li', 'li')).token)
  const request = () => core.session.findAccess([sessionId, other.sessionId, 999_999])
  const [before] = [await request()]
  expect([...before.keys()].toSorted()).toEqual([sessionId, other.sessionId].toSorted())
  expect(before.get(sessionId)?.scope).toEqual({ kind: 'paths', paths: [await core.pathOf('s1')] })
  expect(before.get(other.sessionId)).toMatchObject({ permissions: other.permissions, scope: other.scope })
  const node = await core.nodeId('s2')
  await core.db
    .updateTable('account_node')
    .set({ node_id: node })
    .where('account_id', '=', accountId)
    .execute()
  await core.db.deleteFrom('account_role').where('account_id', '=', accountId).execute()
  expect((await request()).get(sessionId)).toMatchObject({
    permissions: new Set(),
    scope: { kind: 'paths', paths: [await core.pathOf('s2')] },
  })
  await core.db.updateTable('account').set({ enabled: false }).where('account', '=', 'zhou').execute()
  expect([...(await request()).keys()]).toEqual([other.sessionId])
})

test('the permitted modules are the pages of the roles with their groups', async () => {
  const { token } = await logIn('li', 'li')
  const caller = await core.session.authenticate('usr-cloud', token)
  const { data, paccount } = await core.session.listModules(caller)
  expect(data.map(({ url }) => url)).toEqual(['pewph', 'pe-fmreal'])
  expect(data[1]?.parentId).toBe(data[0]?.id)
  expect(data[1]?.name).toBe('阀门实时监测')
  expect(paccount).toBe('test')
})

test('a disabled module is neither listed nor usable', async () => {
  const set = (enabled: boolean) =>
    core.db.updateTable('module').set({ enabled }).where('url', '=', 'pe-fmreal').execute()
  const { token } = await logIn('li', 'li')
  await set(false)
  const caller = await core.session.authenticate('usr-cloud', token)
  expect(caller.permissions.has('pe-fmreal')).toBe(false)
  expect((await core.session.listModules(caller)).data.map(({ url }) => url)).toEqual(['pewph'])
  await set(true)
})

test('the user info lists the projects of the grants', async () => {
  const { token } = await logIn('li', 'li')
  const user = await core.session.getUser(await core.session.authenticate('usr-cloud', token))
  expect(user).toMatchObject({ account: 'li', projectIds: [await core.nodeId('p')] })
})

test.each([
  ['admin', 'administrator'],
  ['dispatcher', 'dispatcher'],
  ['maintenance', 'maintenance'],
  ['service', 'service'],
  ['irrigation', 'irrigation'],
  ['viewer', 'viewer'],
] as const)('the demo account %s has the permissions of its role', async (account, role) => {
  const { token } = await logIn(account, 'isotherm-demo')
  const { permissions } = await core.session.authenticate('usr-cloud', token)
  expect([...permissions].toSorted()).toEqual([...seededRoles[role]].toSorted())
})

test('the role code of the user info is that of the account’s role', async () => {
  const toCode = async (account: string) => {
    const { token } = await logIn(account, 'isotherm-demo')
    return (await core.session.getUser(await core.session.authenticate('usr-cloud', token))).sysrole
  }
  const codes = await Promise.all(['admin', 'dispatcher', 'viewer'].map(toCode))
  expect(codes).toEqual([101, 102, 106])
})

test('a demo account gets the projects that exist at its creation, and keeps later changes of its grants', async () => {
  const { db, network, signals, clock, log, config } = core
  const viewer = db.selectFrom('account').select('id').where('account', '=', 'viewer')
  const scopeOf = async () => {
    const session = await createSession({
      db,
      network,
      signals,
      clock,
      log,
      mode: 'demo',
      secret: config.factorSecret,
    })
    const credentials = { username: 'viewer', password: toClientHash('isotherm-demo') }
    const { token } = await session.login('usr-cloud', credentials, callFrom('10.0.0.1'))
    return (await session.authenticate('usr-cloud', token)).scope
  }
  // This server was started before the first company, so the account has no company.
  await db.deleteFrom('account').where('account', '=', 'viewer').execute()
  expect(await scopeOf()).toEqual({ kind: 'paths', paths: [await core.pathOf('p')] })
  await importRegistry(db, createRegistry('second'))
  await db.deleteFrom('account_node').where('account_id', 'in', viewer).execute()
  expect(await scopeOf()).toEqual({ kind: 'paths', paths: [] })
})

test('in production no demo account works, also on data of an earlier demo', async () => {
  const { token } = await logIn('admin', 'isotherm-demo')
  const { db, network, signals, clock, log, config } = core
  const production = await createSession({
    db,
    network,
    signals,
    clock,
    log,
    mode: 'production',
    secret: config.factorSecret,
  })
  await expect(production.authenticate('usr-cloud', token)).rejects.toEqual(refusal('session.expired'))
  const credentials = { username: 'admin', password: toClientHash('isotherm-demo') }
  await expect(production.login('usr-cloud', credentials, callFrom('10.0.0.1'))).rejects.toEqual(
    refusal('session.bad-credentials'),
  )
  expect(await db.selectFrom('account').select('account').where('is_demo', '=', true).execute()).toEqual([])
  expect(
    (
      await production.login(
        'usr-cloud',
        { username: 'li', password: toClientHash('li') },
        callFrom('10.0.0.1'),
      )
    ).token,
  ).toBeTruthy()
})

test('an administrator is created once and sees everything', async () => {
  expect(await createAdministrator(core.db, 'boss', 'a long pass phrase')).toBe(true)
  expect(await createAdministrator(core.db, 'boss', 'another pass phrase')).toBe(false)
  const { token } = await logIn('boss', 'a long pass phrase')
  const { scope, permissions } = await core.session.authenticate('usr-cloud', token)
  expect(scope).toEqual({ kind: 'all' })
  expect(permissions.has('ps-usersys')).toBe(true)
})

test.each(['short', 'aaaaaaaaaaaa', 'boss-1234567', 'isotherm-demo', 'sunshine-2026', 'qwertyuiop'])(
  '%s is refused as the password of boss',
  (password) => {
    expect(findPasswordFault('boss', password)).toBeTypeOf('string')
  },
)

test('a long mixed password is accepted', () => {
  expect(findPasswordFault('boss', 'warm 47 houses')).toBeUndefined()
})

test('old sessions are deleted, and a locked one is skipped', async () => {
  await core.createAccount('old', [], [])
  await logIn('old', 'old')
  await logIn('old', 'old', '10.0.0.1')
  const { id } = await core.db
    .selectFrom('account')
    .select('id')
    .where('account', '=', 'old')
    .executeTakeFirstOrThrow()
  const listSessions = async () => {
    const rows = await core.db.selectFrom('session').select('id').where('account_id', '=', id).execute()
    return rows.map((row) => row.id)
  }
  const [held] = await listSessions()
  core.clock.advance(9 * DAY_MS)
  await core.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('session').select('id').where('id', '=', Number(held)).forUpdate().execute()
    expect((await logIn('li', 'li')).token).toBeTruthy()
    await expect.poll(listSessions).toEqual([held])
  })
  // Not every sign-in starts a sweep.
  core.clock.advance(10 * MINUTE_MS)
  await logIn('li', 'li')
  await expect.poll(listSessions).toEqual([])
})
