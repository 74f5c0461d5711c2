import { type Permission, permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestSystem, refusalOf, type TestSystem, wholePage } from '../system.testkit.ts'

let fixture: TestSystem
const page = { name: '', limiter: { page: 1, size: 100 } }

beforeAll(async () => {
  fixture = await openTestSystem()
  await fixture.createAccount('root', permissions, [], 'provider')
  await fixture.createAccount('staff', ['psys', 'ps-rolesys', 'pe-fmreal'], ['p'])
  await fixture.createAccount('colleague', ['pe-fmreal'], ['p'])
})
afterAll(() => fixture.close())

async function idsOf(...urls: readonly Permission[]): Promise<number[]> {
  const rows = await fixture.db.selectFrom('module').select('id').where('url', 'in', urls).execute()
  return rows.map(({ id }) => id)
}

const add = async (account: string, name: string, urls: readonly Permission[], companyId?: number) =>
  fixture.system.roles.add(await fixture.callOf(account), {
    name,
    code: 102,
    description: '',
    moduleIds: await idsOf(...urls),
    ...(companyId === undefined ? {} : { companyId }),
  })

const otherCompany = async (tenant: string): Promise<number> => {
  const values = { tenant, name: tenant, time_zone: 'Asia/Shanghai' }
  const added = fixture.db.insertInto('company').values(values).returning('id')
  return (await added.executeTakeFirstOrThrow()).id
}

test('a company sees its own roles and the provider’s, not those of other companies', async () => {
  const theirs = await add('root', '别家的', ['pe-fmreal'], await otherCompany('other'))
  const own = await add('staff', '夜班', ['pe-fmreal'])
  const { caller } = await fixture.callOf('staff')
  expect(own.companyId).toBe(caller.companyId)
  const names = (roles: readonly { name: string }[]) => roles.map(({ name }) => name)
  const { roleLists } = fixture.system
  expect(names((await roleLists.list(caller, wholePage)).datalist)).toEqual(
    expect.arrayContaining(['管理员', '夜班']),
  )
  expect(names((await roleLists.list(caller, wholePage)).datalist)).not.toContain(theirs.name)
  expect(names((await roleLists.listByName(caller, 'own', page)).datalist)).toEqual(['夜班'])
  const others = await roleLists.listByName(caller, 'others', { ...page, name: '管理' })
  expect(names(others.datalist)).toEqual(['管理员'])
  const root = await fixture.callerOf('root')
  const ofCompanies = await roleLists.listByName(root, 'others', page)
  expect(names(ofCompanies.datalist).toSorted()).toEqual(['别家的', '夜班'].toSorted())
})

test('nobody gives a role modules that they do not have', async () => {
  const refused = add('staff', '太多', ['pe-fmreal', 'ps-oplogsys'])
  expect(await refusalOf(refused)).toEqual(['account.beyond-yours', { what: 'ps-oplogsys' }])
  const { companyId } = await fixture.callerOf('staff')
  const more = await add('root', '更多', ['pe-fmreal', 'ps-oplogsys'], companyId)
  const { datalist } = await fixture.system.roleLists.list(await fixture.callerOf('staff'), wholePage)
  expect(datalist.find(({ id }) => id === more.id)?.abilities).toEqual([])
  const call = await fixture.callOf('staff')
  const removed = fixture.system.roles.remove(call, { id: more.id, version: more.version })
  expect(await refusalOf(removed)).toEqual(['account.beyond-yours', { what: 'ps-oplogsys' }])
})

test("only provider staff change the provider's roles", async () => {
  const role = await add('root', '平台的', ['pe-fmreal'])
  const call = await fixture.callOf('staff')
  const { id, version } = role
  expect(await refusalOf(fixture.system.roles.remove(call, { id, version }))).toEqual(['role.not-found', {}])
})

test('a change of modules raises the role’s version, and an edit of the old version is refused', async () => {
  const role = await add('root', '换模块', ['pe-fmreal'])
  const more = { roleId: role.id, version: role.version, moduleIds: await idsOf('pe-irrreal') }
  const changed = await fixture.system.roles.setModules(await fixture.callOf('root'), 'added', more)
  expect(changed.urls).toEqual(['pe-fmreal', 'pe-irrreal'])
  expect(changed.version).toBe(role.version + 1)
  const late = fixture.system.roles.setModules(await fixture.callOf('staff'), 'replaced', more)
  expect(await refusalOf(late)).toEqual(['entity.stale', { what: 'role', by: 'root', fields: 'modules' }])
  const again = { ...more, version: changed.version }
  const replaced = await fixture.system.roles.setModules(await fixture.callOf('root'), 'replaced', again)
  expect(replaced.urls).toEqual(['pe-irrreal'])
})

test('a removed module is gone at the next call, and open connections are notified', async () => {
  const role = await add('root', '临时', ['pe-fmreal', 'pe-irrreal'])
  const colleague = await fixture.callerOf('colleague')
  await fixture.db
    .insertInto('account_role')
    .values({ account_id: colleague.accountId, role_id: role.id })
    .execute()
  expect((await fixture.callerOf('colleague')).permissions.has('pe-irrreal')).toBe(true)
  const listener = vi.fn()
  const stop = fixture.session.onEnded(listener)
  const less = { roleId: role.id, version: role.version, moduleIds: await idsOf('pe-fmreal') }
  await fixture.system.roles.setModules(await fixture.callOf('root'), 'replaced', less)
  const access = await fixture.session.findAccess([colleague.sessionId])
  expect(access.get(colleague.sessionId)?.permissions.has('pe-irrreal')).toBe(false)
  await vi.waitFor(() => expect(listener).toHaveBeenCalledWith(undefined), { timeout: 30_000 })
  stop()
  const current = { id: role.id, version: role.version + 1 }
  const removed = fixture.system.roles.remove(await fixture.callOf('root'), current)
  expect(await refusalOf(removed)).toEqual(['entity.in-use', { entity: 'account', count: 1 }])
})

test('the administrator keeps every module and a built-in role its code; neither can be deleted', async () => {
  const root = await fixture.callOf('root')
  const { datalist } = await fixture.system.roleLists.list(root.caller, wholePage)
  const administrator = datalist.find(({ code }) => code === 101)
  if (!administrator) throw new Error('no administrator')
  const { id, version, moduleIds } = administrator
  const builtIn = ['entity.built-in', { what: '管理员' }]
  const edited = { id, version, name: '管理员', code: 101, description: '', moduleIds }
  const { roles } = fixture.system
  expect(await refusalOf(roles.edit(root, { ...edited, moduleIds: [] }))).toEqual(builtIn)
  expect(await refusalOf(roles.edit(root, { ...edited, code: 102 }))).toEqual(builtIn)
  expect(await refusalOf(roles.remove(root, { id, version }))).toEqual(builtIn)
  const renamed = await roles.edit(await fixture.callOf('root'), { ...edited, name: '总管' })
  expect([renamed.name, renamed.urls.length]).toEqual(['总管', permissions.length])
})

test('role names are unique in a company, not across companies', async () => {
  await add('staff', '同名', ['pe-fmreal'])
  expect(await refusalOf(add('staff', '同名', ['pe-fmreal']))).toEqual(['entity.taken', { field: 'name' }])
  await add('root', '同名', ['pe-fmreal'], await otherCompany('third'))
})

test('a used role code cannot be deleted; §6 code 500 belongs to the rbac variant', async () => {
  const root = await fixture.callOf('root')
  const { roleCodes } = fixture.system
  const add500 = roleCodes.add(root, { code: 500, name: 'x', description: '' })
  expect(await refusalOf(add500)).toEqual(['entity.taken', { field: 'code' }])
  const again = roleCodes.add(root, { code: 102, name: 'x', description: '' })
  expect(await refusalOf(again)).toEqual(['entity.taken', { field: 'code' }])
  const removed = roleCodes.remove(root, { code: 103, version: 1 })
  expect(await refusalOf(removed)).toEqual(['entity.in-use', { by: '维修' }])
  const staff = await fixture.callOf('staff')
  expect(await refusalOf(roleCodes.add(staff, { code: 700, name: 'x', description: '' }))).toEqual([
    'access.denied',
    {},
  ])
})
