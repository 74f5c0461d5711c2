import { type Permission, permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSystem, refusalOf, type TestSystem } from '../system.testkit.ts'

let test_: TestSystem

beforeAll(async () => {
  test_ = await openTestSystem()
  await test_.createAccount('root', permissions, [], 'provider')
  await test_.createAccount('chief', permissions, ['p'])
  await test_.createAccount('staff', ['psys', 'ps-rolesys', 'pe-fmreal', 'pe-irrreal'], ['s1'])
})
afterAll(() => test_.close())

async function idsOf(...urls: readonly Permission[]): Promise<number[]> {
  const rows = await test_.db.selectFrom('module').select('id').where('url', 'in', urls).execute()
  return rows.map(({ id }) => id)
}

const add = async (account: string, name: string, urls: readonly Permission[], companyId?: number) =>
  test_.system.roles.add(await test_.callOf(account), {
    name,
    code: 102,
    description: '',
    moduleIds: await idsOf(...urls),
    ...(companyId === undefined ? {} : { companyId }),
  })

const grantRole = (accountId: number, roleId: number) =>
  test_.db.insertInto('account_role').values({ account_id: accountId, role_id: roleId }).execute()

const setEnabled = (url: Permission, enabled: boolean) =>
  test_.db.updateTable('module').set({ enabled }).where('url', '=', url).execute()

test('a sub-account cannot give a role modules that its parent does not have', async () => {
  const parentId = await test_.createAccount('parent', ['psys', 'ps-rolesys', 'pe-fmreal'], ['p'])
  const id = await test_.createAccount('sub', ['psys', 'ps-rolesys', 'pe-fmreal', 'ps-oplogsys'], ['p'])
  await test_.db.updateTable('account').set({ parent_id: parentId }).where('id', '=', id).execute()
  expect((await add('sub', '够', ['pe-fmreal'])).urls).toEqual(['pe-fmreal'])
  const refused = ['account.beyond-yours', { what: 'ps-oplogsys' }]
  expect(await refusalOf(add('sub', '太多', ['pe-fmreal', 'ps-oplogsys']))).toEqual(refused)
  await setEnabled('ps-oplogsys', false)
  expect(await refusalOf(add('sub', '停用的', ['ps-oplogsys']))).toEqual(refused)
  await setEnabled('ps-oplogsys', true)
})

test('nobody removes modules from a role of an account they do not manage', async () => {
  const role = await add('staff', '两站共用', ['pe-fmreal', 'pe-irrreal'])
  await grantRole((await test_.callerOf('staff')).accountId, role.id)
  await grantRole(await test_.createAccount('below', ['pe-fmreal'], ['s1']), role.id)
  const input = { roleId: role.id, version: role.version, moduleIds: await idsOf('pe-fmreal') }
  const { roles } = test_.system
  const less = await roles.setModules(await test_.callOf('staff'), 'replaced', input)
  expect(less.urls).toEqual(['pe-fmreal'])
  await grantRole(await test_.createAccount('elsewhere', ['pe-fmreal'], ['s2']), role.id)
  const further = { ...input, version: less.version, moduleIds: [] }
  const refused = roles.setModules(await test_.callOf('staff'), 'replaced', further)
  expect(await refusalOf(refused)).toEqual(['account.beyond-yours', { what: '两站共用' }])
  const edit = { id: role.id, version: less.version, name: role.name, code: 102, description: '' }
  const edited = roles.edit(await test_.callOf('staff'), { ...edit, moduleIds: [] })
  expect(await refusalOf(edited)).toEqual(['account.beyond-yours', { what: '两站共用' }])
  const more = { ...further, moduleIds: await idsOf('pe-irrreal') }
  const widened = await roles.setModules(await test_.callOf('staff'), 'added', more)
  const byChief = { ...further, version: widened.version }
  expect((await roles.setModules(await test_.callOf('chief'), 'replaced', byChief)).urls).toEqual([])
})

test('only provider staff who see everything add and change the provider’s roles', async () => {
  const role = await add('root', '各家通用', ['pe-fmreal'])
  const id = await test_.createAccount('regional', permissions, ['p'])
  const { companyId } = await test_.callerOf('chief')
  const ofProvider = { kind: 'provider' as const, company_id: null }
  await test_.db.updateTable('account').set(ofProvider).where('id', '=', id).execute()
  const { roles, roleLists } = test_.system
  const removed = roles.remove(await test_.callOf('regional'), { id: role.id, version: role.version })
  expect(await refusalOf(removed)).toEqual(['role.not-found', {}])
  expect(await refusalOf(add('regional', '另一个', ['pe-fmreal']))).toEqual(['access.denied', {}])
  expect((await add('regional', '一家的', ['pe-fmreal'], companyId)).companyId).toBe(companyId)
  const page = { filter: [], limiter: { page: 1, size: 1_000 } }
  const { datalist } = await roleLists.list(await test_.callerOf('regional'), page)
  expect(datalist.find((other) => other.id === role.id)?.abilities).toEqual(['give'])
})

test('the refusal to delete a role code counts the roles that the caller may not see, without names', async () => {
  const ofProvider = { kind: 'provider' as const, company_id: null }
  const id = await test_.createAccount('distant', permissions, ['p'])
  await test_.db.updateTable('account').set(ofProvider).where('id', '=', id).execute()
  const { roles, roleCodes } = test_.system
  await roleCodes.add(await test_.callOf('root'), { code: 777, name: '七', description: '' })
  const values = { tenant: 'distant', name: 'distant', time_zone: 'Asia/Shanghai' }
  const company = await test_.db
    .insertInto('company')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  const role = { name: '别家的', code: 777, description: '', moduleIds: [], companyId: company.id }
  await roles.add(await test_.callOf('root'), role)
  const remove = async (account: string) =>
    refusalOf(roleCodes.remove(await test_.callOf(account), { code: 777, version: 1 }))
  expect(await remove('distant')).toEqual(['entity.in-use', { entity: 'role', count: 1 }])
  expect(await remove('root')).toEqual(['entity.in-use', { by: '别家的' }])
})
