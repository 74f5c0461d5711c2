import { type Permission, permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSystem, refusalOf, type TestSystem } from '../system.testkit.ts'

let fixture: TestSystem

beforeAll(async () => {
  fixture = await openTestSystem()
  await fixture.createAccount('root', permissions, [], 'provider')
  await fixture.createAccount('chief', permissions, ['p'])
  await fixture.createAccount('staff', ['psys', 'ps-rolesys', 'pe-fmreal', 'pe-irrreal'], ['s1'])
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

const grantRole = (accountId: number, roleId: number) =>
  fixture.db.insertInto('account_role').values({ account_id: accountId, role_id: roleId }).execute()

const setEnabled = (url: Permission, enabled: boolean) =>
  fixture.db.updateTable('module').set({ enabled }).where('url', '=', url).execute()

test('a sub-account cannot give a role modules that its parent does not have', async () => {
  const parentId = await fixture.createAccount('parent', ['psys', 'ps-rolesys', 'pe-fmreal'], ['p'])
  const id = await fixture.createAccount('sub', ['psys', 'ps-rolesys', 'pe-fmreal', 'ps-oplogsys'], ['p'])
  await fixture.db.updateTable('account').set({ parent_id: parentId }).where('id', '=', id).execute()
  expect((await add('sub', '够', ['pe-fmreal'])).urls).toEqual(['pe-fmreal'])
  const refused = ['account.beyond-yours', { what: 'ps-oplogsys' }]
  expect(await refusalOf(add('sub', '太多', ['pe-fmreal', 'ps-oplogsys']))).toEqual(refused)
  await setEnabled('ps-oplogsys', false)
  expect(await refusalOf(add('sub', '停用的', ['ps-oplogsys']))).toEqual(refused)
  await setEnabled('ps-oplogsys', true)
})

test('nobody removes modules from a role of an account they do not manage', async () => {
  const role = await add('staff', '两站共用', ['pe-fmreal', 'pe-irrreal'])
  await grantRole((await fixture.callerOf('staff')).accountId, role.id)
  await grantRole(await fixture.createAccount('below', ['pe-fmreal'], ['s1']), role.id)
  const input = { roleId: role.id, version: role.version, moduleIds: await idsOf('pe-fmreal') }
  const { roles } = fixture.system
  const less = await roles.setModules(await fixture.callOf('staff'), 'replaced', input)
  expect(less.urls).toEqual(['pe-fmreal'])
  await grantRole(await fixture.createAccount('elsewhere', ['pe-fmreal'], ['s2']), role.id)
  const further = { ...input, version: less.version, moduleIds: [] }
  const refused = roles.setModules(await fixture.callOf('staff'), 'replaced', further)
  expect(await refusalOf(refused)).toEqual(['account.beyond-yours', { what: '两站共用' }])
  const edit = { id: role.id, version: less.version, name: role.name, code: 102, description: '' }
  const edited = roles.edit(await fixture.callOf('staff'), { ...edit, moduleIds: [] })
  expect(await refusalOf(edited)).toEqual(['account.beyond-yours', { what: '两站共用' }])
  const more = { ...further, moduleIds: await idsOf('pe-irrreal') }
  const widened = await roles.setModules(await fixture.callOf('staff'), 'added', more)
  const byChief = { ...further, version: widened.version }
  expect((await roles.setModules(await fixture.callOf('chief'), 'replaced', byChief)).urls).toEqual([])
})

test('only provider staff who see everything add and change the provider’s roles', async () => {
  const role = await add('root', '各家通用', ['pe-fmreal'])
  const id = await fixture.createAccount('regional', permissions, ['p'])
  const { companyId } = await fixture.callerOf('chief')
  const ofProvider = { kind: 'provider' as const, company_id: null }
  await fixture.db.updateTable('account').set(ofProvider).where('id', '=', id).execute()
  const { roles, roleLists } = fixture.system
  const removed = roles.remove(await fixture.callOf('regional'), { id: role.id, version: role.version })
  expect(await refusalOf(removed)).toEqual(['role.not-found', {}])
  expect(await refusalOf(add('regional', '另一个', ['pe-fmreal']))).toEqual(['access.denied', {}])
  expect((await add('regional', '一家的', ['pe-fmreal'], companyId)).companyId).toBe(companyId)
  const page = { filter: [], limiter: { page: 1, size: 1_000 } }
  const { datalist } = await roleLists.list(await fixture.callerOf('regional'), page)
  expect(datalist.find((other) => other.id === role.id)?.abilities).toEqual(['give'])
})

test('the refusal to delete a role code counts the roles that the caller may not see, without names', async () => {
  const ofProvider = { kind: 'provider' as const, company_id: null }
  const id = await fixture.createAccount('distant', permissions, ['p'])
  await fixture.db.updateTable('account').set(ofProvider).where('id', '=', id).execute()
  const { roles, roleCodes } = fixture.system
  await roleCodes.add(await fixture.callOf('root'), { code: 777, name: '七', description: '' })
  const values = { tenant: 'distant', name: 'distant', time_zone: 'Asia/Shanghai' }
  const company = await fixture.db
    .insertInto('company')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  const role = { name: '别家的', code: 777, description: '', moduleIds: [], companyId: company.id }
  await roles.add(await fixture.callOf('root'), role)
  const remove = async (account: string) =>
    refusalOf(roleCodes.remove(await fixture.callOf(account), { code: 777, version: 1 }))
  expect(await remove('distant')).toEqual(['entity.in-use', { entity: 'role', count: 1 }])
  expect(await remove('root')).toEqual(['entity.in-use', { by: '别家的' }])
})
