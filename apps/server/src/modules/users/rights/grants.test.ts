import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { refusal, startUsers, type TestUsers } from '../users.testkit.ts'

let users: TestUsers
let boss: Call
let chief: Call
const limiter = { page: 1, size: 1_000 }

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('boss', permissions, [], 'provider')
  await users.createAccount('chief', permissions, ['p'])
  boss = await users.as('boss')
  chief = await users.as('chief')
})
afterAll(() => users.close())

test('grants list nodes and single devices with the names of all ancestors', async () => {
  const nodes = [await users.nodeKey('s2')]
  const deviceIds = [await users.deviceId('V-b2u1')]
  const { id: uid, version } = await users.register(chief, 'listed', { nodes, deviceIds })
  const listed = await users.handlers.getUserDevSubNestAddrByTk({ uid, limiter }, chief)
  expect(listed).toMatchObject({ uid, account: 'listed', seesAll: false, version, total: 2 })
  expect(listed.abilities).toContain('grant')
  expect(listed.datalist).toEqual([
    {
      node: expect.stringMatching(/-L1-1单元$/),
      label: '1单元',
      level: 7,
      nestaddr: '集团,公司,一号站,东区,二号楼,1单元',
      device: { id: deviceIds[0], imei: 'V-b2u1', name: 'V-b2u1', kind: 'valve' },
    },
    { node: nodes[0], label: '二号站', level: 4, nestaddr: '集团,公司,二号站' },
  ])
})

test('a grant covers the subtree now and later, and applies to the next call of a running session', async () => {
  const { id: uid, version } = await users.register(chief, 'growing')
  const token = await users.signIn('growing')
  const paths = async () => (await users.toCall(token)).caller.scope
  expect(await paths()).toEqual({ kind: 'paths', paths: [] })
  const grants = { uid, version, nodes: [await users.nodeKey('a1')], deviceIds: [] }
  const { version: now, total } = await users.handlers.insertUserDevByTk(grants, chief)
  expect([now, total]).toEqual([version + 1, 1])
  expect(await paths()).toEqual({ kind: 'paths', paths: [await users.pathOf('a1')] })
  const listed = async () =>
    (await users.handlers.getDevsForVn({ uid, pageNo: 1, pageSize: 1_000 }, chief)).total
  const before = await listed()
  const { company_id, model } = await users.db
    .selectFrom('device')
    .selectAll()
    .where('serial', '=', 'V-b2u1')
    .executeTakeFirstOrThrow()
  await users.db
    .insertInto('device')
    .values({
      company_id,
      model,
      serial: 'LATER',
      kind: 'room-sensor',
      name: '后来的',
      period_s: 60,
      node_id: await users.nodeId('b2u1h'),
    })
    .execute()
  expect(await listed()).toBe(before + 1)
})

test('granted devices are filtered, and each states whether it is granted itself', async () => {
  const nodes = [await users.nodeKey('b2')]
  const deviceIds = [await users.deviceId('V-b3u1')]
  const { id: uid } = await users.register(chief, 'filtered', { nodes, deviceIds })
  const filter = [{ field: 'kind', cond: 'eq' as const, vstd: 'valve' }]
  const { datalist, total } = await users.handlers.getUserDevCondByTk({ uid, filter, limiter }, chief)
  expect(total).toBe(3)
  expect(datalist.map(({ imei, isGrantedItself }) => [imei, isGrantedItself])).toEqual([
    ['V-b2u1', false],
    ['V-b2u2', false],
    ['V-b3u1', true],
  ])
  const unknown = [{ field: 'secret', cond: 'eq' as const, vstd: '1' }]
  await expect(users.handlers.getUserDevCondByTk({ uid, filter: unknown, limiter }, chief)).rejects.toEqual(
    refusal('filter.unknown-field'),
  )
})

test('grants are added, replaced and removed, each from the version that the caller has read', async () => {
  const [s1, s2, b2] = [await users.nodeKey('s1'), await users.nodeKey('s2'), await users.nodeKey('b2')]
  const valve = await users.deviceId('V-b3u2')
  const { id: uid, version } = await users.register(chief, 'changing', { nodes: [s1] })
  const { handlers } = users
  const added = await handlers.insertUserDevByTk({ uid, version, nodes: [s2, s2], deviceIds: [valve] }, chief)
  expect(added).toEqual({ uid, version: version + 1, total: 3 })
  await expect(
    handlers.insertUserDevByTk({ uid, version, nodes: [b2], deviceIds: [] }, chief),
  ).rejects.toEqual(refusal('entity.stale', { by: 'chief', fields: 'grantsRev' }))
  const replaced = await handlers.updateUserDevByTk(
    { uid, version: added.version, nodes: [b2, s2], deviceIds: [] },
    chief,
  )
  expect(replaced.total).toBe(2)
  expect(await users.scopeOf('changing')).toEqual([await users.pathOf('b2'), await users.pathOf('s2')])
  const remove = { uid, version: replaced.version, deviceIds: [] }
  await expect(handlers.deleteUserDevByTk({ ...remove, nodes: [s2, s1] }, chief)).rejects.toEqual(
    refusal('node.not-found'),
  )
  expect((await handlers.deleteUserDevByTk({ ...remove, nodes: [s2] }, chief)).total).toBe(1)
  expect(await users.scopeOf('changing')).toEqual([await users.pathOf('b2')])
})

test('the operation log records the account and the place of each grant', async () => {
  const { id: uid, version } = await users.register(chief, 'logged')
  await users.handlers.insertUserDevByTk(
    { uid, version, nodes: [await users.nodeKey('s1')], deviceIds: [] },
    chief,
  )
  const node = await users.nodeId('s1')
  const noted = await users.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .select(['entity', 'action', 'path', 'operation.account'])
    .where('entity_id', '=', `${uid}:${node}`)
    .execute()
  expect(noted).toEqual([
    { entity: 'user-node', action: 'added', path: await users.pathOf('s1'), account: 'chief' },
  ])
})

test('callers grant only their own grants, never the root, and never places of another company', async () => {
  await users.createAccount('keeper', permissions, ['s1'])
  const keeper = await users.as('keeper')
  const { id: uid, version } = await users.register(keeper, 'small', { nodes: [await users.nodeKey('b2')] })
  const change = { uid, version, deviceIds: [] }
  const absent = refusal('node.not-found')
  const { handlers } = users
  await expect(
    handlers.insertUserDevByTk({ ...change, nodes: [await users.nodeKey('s2')] }, keeper),
  ).rejects.toEqual(absent)
  await expect(
    handlers.insertUserDevByTk({ ...change, nodes: [await users.nodeKey('c')] }, keeper),
  ).rejects.toEqual(absent)
  await expect(handlers.insertUserDevByTk({ ...change, nodes: ['-1'] }, boss)).rejects.toEqual(absent)
  const company = await users.db
    .insertInto('company')
    .values({ tenant: 'far', name: '远方供热', time_zone: 'Asia/Shanghai' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const foreign = users.register(boss, 'foreign', {
    companyId: company.id,
    nodes: [await users.nodeKey('s1')],
  })
  await expect(foreign).rejects.toEqual(absent)
})

test('grants, devices, sub-accounts and sessions of an invisible account are refused', async () => {
  await users.createAccount('aside', permissions, ['s2'])
  const aside = await users.as('aside')
  const { id: uid } = await users.register(chief, 'unseen', { nodes: [await users.nodeKey('s1')] })
  const { handlers } = users
  for (const attempt of [
    () => handlers.getUserDevSubNestAddrByTk({ uid, limiter }, aside),
    () => handlers.getSubUserResByTk({ uid, limiter }, aside),
    () => handlers.getUserDevCondByTk({ uid, filter: [], limiter }, aside),
    () => handlers.getDevsForVn({ uid, pageNo: 1, pageSize: 10 }, aside),
    () => handlers.getSuidAndDeviceByPuid({ uid, pageNo: 1, pageSize: 10 }, aside),
    () => handlers.getSessions({ uid, limiter }, aside),
    () => handlers.getUserRoles({ uid }, aside),
  ]) {
    await expect(attempt()).rejects.toEqual(refusal('account.not-found'))
  }
})
