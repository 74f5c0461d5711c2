import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { refusal, startUsers, type TestUsers, toGiven, toPasswordText } from '../users.testkit.ts'

let users: TestUsers
let chief: Call
const limiter = { page: 1, size: 1_000 }

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('chief', permissions, ['p'])
  await users.createAccount('watcher', ['pe-fmreal'], [])
  await users.createAccount('steward', ['pu-usersetting', 'pe-fmreal'], [])
  chief = await users.as('chief')
})
afterAll(() => users.close())

const keys = (...names: readonly string[]) => Promise.all(names.map((name) => users.nodeKey(name)))
const paths = async (...names: readonly string[]) =>
  (await Promise.all(names.map((name) => users.pathOf(name)))).toSorted()

const makePair = (name: string, ofParent: readonly string[], ofSub: readonly string[]) =>
  users.registerPair(chief, name, ofParent, ofSub)
const change = (uid: number, nodes: readonly string[], deviceIds: readonly number[] = []) =>
  users.toChange(uid, nodes, deviceIds)

test('a sub-account gets no nodes, devices or roles that its parent does not have', async () => {
  const roleIds = [await users.roleOf('watcher')]
  await users.register(chief, 'p1', { nodes: await keys('a1'), roleIds })
  const secAccount = 'p1'
  const register = (given: Parameters<TestUsers['register']>[2]) =>
    users.register(chief, 'p1-sub', { secAccount, ...given })
  const beyond = (what: string) => refusal('account.beyond-yours', { what })
  await expect(register({ nodes: await keys('s1') })).rejects.toEqual(beyond('一号站'))
  await expect(register({ deviceIds: [await users.deviceId('V-b3u1')] })).rejects.toEqual(beyond('V-b3u1'))
  await expect(register({ roleIds: [await users.roleOf('steward')] })).rejects.toEqual(beyond('steward'))
  await register({ nodes: await keys('b2'), deviceIds: [await users.deviceId('V-b10u1')], roleIds })
})

test('later grants and roles stay within the parent’s too', async () => {
  const { sub } = await makePair('p2', ['a1'], ['b2'])
  const { handlers } = users
  const beyond = refusal('account.beyond-yours')
  for (const call of [
    handlers.insertSubUserDevByTk,
    handlers.insertUserDevByTk,
    handlers.updateUserDevByTk,
  ]) {
    await expect(call(await change(sub.id, ['s2']), chief)).rejects.toEqual(beyond)
  }
  const roleIds = [await users.roleOf('watcher')]
  const roles = { uid: sub.id, version: sub.version, roleIds }
  await expect(handlers.addUserRole(roles, chief)).rejects.toEqual(beyond)
  await expect(handlers.editUser({ id: sub.id, version: sub.version, roleIds }, chief)).rejects.toEqual(
    beyond,
  )
  expect((await handlers.insertSubUserDevByTk(await change(sub.id, ['b10']), chief)).total).toBe(2)
  expect(await users.scopeOf('p2-sub')).toEqual(await paths('b2', 'b10'))
})

test('sub-accounts lose what their parent loses, and keep the remaining parts of a granted node', async () => {
  const valve = await users.deviceId('V-b10u2')
  const { parent, sub } = await makePair('p3', ['s1', 's2'], ['s1', 'a2'])
  await users.handlers.updateUserDevByTk(await change(parent.id, ['b2'], [valve]), chief)
  const remaining = [await users.pathOf('b2'), `${await users.pathOf('b10u2')}d${valve}/`].toSorted()
  expect(await users.scopeOf('p3-sub')).toEqual(remaining)
  const listed = await users.handlers.getUserDevSubNestAddrByTk({ uid: sub.id, limiter }, chief)
  expect(listed.datalist.map(({ label, device }) => [label, device?.imei]).toSorted()).toEqual([
    ['2单元', 'V-b10u2'],
    ['二号楼', undefined],
  ])
  expect(listed.version).toBeGreaterThan(sub.version)
})

test('sub-accounts keep their granted places when their parent stops seeing everything', async () => {
  await users.createAccount('boss', permissions, [], 'provider')
  const boss = await users.as('boss')
  const given = { usrUserType: '100' as const, seesAll: true, nodes: await keys('s2') }
  const parent = await users.register(boss, 'p0', given)
  const sub = await users.register(boss, 'p0-sub', { secAccount: 'p0', nodes: await keys('c') })
  expect(await users.listStored(sub.id)).toEqual(await paths('c'))
  await users.handlers.editUser({ id: parent.id, version: parent.version, seesAll: false }, boss)
  expect(await users.listStored(sub.id)).toEqual(await paths('s2'))
})

test('sub-accounts lose a role that their parent loses, and their sessions end', async () => {
  const roleIds = [await users.roleOf('watcher'), await users.roleOf('steward')]
  const parent = await users.register(chief, 'p4', { roleIds })
  const sub = await users.register(chief, 'p4-sub', { secAccount: 'p4', roleIds })
  const token = await users.signIn('p4-sub')
  const taken = { uid: parent.id, version: parent.version, roleIds: roleIds.slice(1) }
  await users.handlers.delUserRole(taken, chief)
  await expect(users.toCall(token)).rejects.toEqual(refusal('session.expired'))
  const { datalist } = await users.handlers.getUserRoles({ uid: sub.id }, chief)
  expect(datalist.map(({ name }) => name)).toEqual(['watcher'])
})

test('a widened role or a node moved away from the parent gives a sub-account nothing that its parent does not have', async () => {
  const roleIds = [await users.roleOf('watcher')]
  await users.register(chief, 'p5', { nodes: await keys('a1'), roleIds: [await users.roleOf('steward')] })
  await users.register(chief, 'p5-sub', { secAccount: 'p5', nodes: await keys('b2'), roleIds })
  await users.db
    .insertInto('role_permission')
    .values({ role_id: Number(roleIds[0]), permission: 'ps-statsys' })
    .execute()
  const b2 = await users.pathOf('b2')
  const moved = `${await users.pathOf('a2')}${await users.nodeId('b2')}/`
  const move = (path: string) => users.db.updateTable('node').set({ path }).where('key', '=', 'b2').execute()
  await move(moved)
  try {
    const { caller } = await users.toCall(await users.signIn('p5-sub'))
    expect(caller.scope).toEqual({ kind: 'paths', paths: [] })
    expect([...caller.permissions]).toEqual(['pe-fmreal'])
  } finally {
    await move(b2)
    await users.db
      .deleteFrom('role_permission')
      .where('permission', '=', 'ps-statsys')
      .where('role_id', '=', Number(roleIds[0]))
      .execute()
  }
})

test('sub-accounts have one level and the company of their parent', async () => {
  const { parent, sub } = await makePair('p6', ['s1'], ['s1'])
  const bad = (account: string) => refusal('account.bad-parent', { account })
  await expect(users.register(chief, 'p6-sub-sub', { secAccount: 'p6-sub' })).rejects.toEqual(bad('p6-sub'))
  await users.register(chief, 'p6-other', { nodes: await keys('s1') })
  const edit = { id: parent.id, version: parent.version, secAccount: 'p6-other' }
  await expect(users.handlers.editUser(edit, chief)).rejects.toEqual(bad('p6-other'))
  const own = { id: sub.id, version: sub.version, secAccount: 'p6-sub' }
  await expect(users.handlers.editUser(own, chief)).rejects.toEqual(bad('p6-sub'))
  const company = await users.db
    .insertInto('company')
    .values({ tenant: 'far', name: '远方供热', time_zone: 'Asia/Shanghai' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const steal = users.db.updateTable('account').set({ company_id: company.id }).where('id', '=', sub.id)
  await expect(steal.execute()).rejects.toMatchObject({ constraint: 'account_parent_fits' })
})

test('a sub-account moves to another parent that covers its grants, or becomes an account without a parent', async () => {
  const { sub } = await makePair('p7', ['s1'], ['b2'])
  await users.register(chief, 'p7-near', { nodes: await keys('a1') })
  await users.register(chief, 'p7-far', { nodes: await keys('s2') })
  const { id } = sub
  const put = async (secAccount: string | null) =>
    users.handlers.editUser({ id, version: await users.versionOf(id), secAccount }, chief)
  await expect(put('p7-far')).rejects.toEqual(refusal('account.beyond-yours', { what: '二号楼' }))
  await put('p7-near')
  const [near] = (await users.handlers.getSubUserByTk({ uid: id, filter: [], limiter }, chief)).datalist
  expect(near).toBeUndefined()
  await put(null)
  await users.handlers.insertUserDevByTk(await change(id, ['s2']), chief)
  expect(await users.scopeOf('p7-sub')).toEqual(await paths('b2', 's2'))
})

test('a parent is deleted together with its sub-accounts or not at all', async () => {
  const { parent, sub } = await makePair('p8', ['s1'], ['s1'])
  const item = ({ id, version }: typeof parent) => ({ id, version })
  await expect(users.handlers.deleteUsers({ items: [item(parent)] }, chief)).rejects.toEqual(
    refusal('entity.in-use', { by: 'p8-sub' }),
  )
  const { accounts } = await users.handlers.deleteUsers({ items: [item(sub), item(parent)] }, chief)
  expect(accounts).toEqual(['p8-sub', 'p8'])
})

test('a user creates sub-accounts, gives them roles and lists what they may use', async () => {
  const roleIds = [await users.roleOf('watcher')]
  const given = { nodes: await keys('a1'), roleIds: [await users.roleOf('steward')] }
  await users.register(chief, 'p9', given)
  const p9 = await users.toCall(await users.signIn('p9'))
  const { handlers } = users
  const sub = await handlers.insertUserByTk(
    {
      account: 'p9-sub',
      name: '子',
      ...toGiven(toPasswordText('p9-sub')),
      tel: '',
      roleIds: [],
      nodes: await keys('b2'),
      deviceIds: [],
    },
    p9,
  )
  const { version } = await handlers.insertUserRoleByTk({ uid: sub.id, version: sub.version, roleIds }, p9)
  const mine = await handlers.getSubUserByTk({ filter: [], limiter }, p9)
  expect(
    mine.datalist.map(({ account, pAccount, usrUserLevel }) => [account, pAccount, usrUserLevel]),
  ).toEqual([['p9-sub', 'p9', 2]])
  const resources = await handlers.getSubUserResByTk({ uid: sub.id, limiter }, p9)
  expect(resources).toMatchObject({ account: 'p9-sub', version, total: 1 })
  expect(resources.modules.map(({ url }) => url)).toEqual(['pe-fmreal'])
  expect(resources.datalist.map(({ nestaddr }) => nestaddr)).toEqual(['集团,公司,一号站,东区,二号楼'])
  const { id: other } = await users.register(chief, 'p9-other', { nodes: await keys('b2') })
  const foreign = { uid: other, version: 1, roleIds }
  await expect(handlers.insertUserRoleByTk(foreign, p9)).rejects.toEqual(refusal('account.not-found'))
})

test('§7 getSuidAndDeviceByPuid {uid} gives the sub-accounts with the ids of their devices', async () => {
  const valve = await users.deviceId('V-b10u1')
  const { parent, sub } = await makePair('p10', ['s1'], ['b2'])
  await users.handlers.insertSubUserDevByTk(await change(sub.id, [], [valve]), chief)
  const { list, total } = await users.handlers.getSuidAndDeviceByPuid(
    { uid: parent.id, pageNo: 1, pageSize: 10 },
    chief,
  )
  const below = await users.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select('device.id')
    .where('node.path', 'like', `${await users.pathOf('b2')}%`)
    .execute()
  const ids = [valve, ...below.map(({ id }) => id)]
  expect(total).toBe(1)
  expect(list[0]).toMatchObject({ suid: sub.id, account: 'p10-sub', devCount: ids.length })
  expect(list[0]?.deviceIds.toSorted()).toEqual(ids.toSorted())
})

test('the list of sub-accounts that may see a device names the grant of each', async () => {
  const valve = await users.deviceId('V-b3u1')
  const { parent, sub } = await makePair('p11', ['s2'], ['a2'])
  const holders = async (call = chief) =>
    (await users.handlers.wxGetSubUser4DevByTk({ deviceId: valve, limiter }, call)).datalist
      .filter(({ uid }) => uid === sub.id)
      .map(({ by, nestaddr }) => [by, nestaddr])
  expect(await holders()).toEqual([['node', '集团,公司,二号站,西区']])
  await users.handlers.insertSubUserDevByTk(await change(sub.id, [], [valve]), chief)
  expect(await holders()).toEqual([['device', '集团,公司,二号站,西区,三号楼,1单元']])
  await users.handlers.updateUserDevByTk(await change(parent.id, ['b3']), chief)
  await users.handlers.deleteSubUserDevByTk(await change(sub.id, ['b3']), chief)
  expect(await holders()).toEqual([['device', '集团,公司,二号站,西区,三号楼,1单元']])
  await users.handlers.deleteSubUserDevByTk(await change(sub.id, [], [valve]), chief)
  expect(await holders()).toEqual([])
})
