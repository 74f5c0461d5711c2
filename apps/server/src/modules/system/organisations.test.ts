import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSystem, refusalOf, type TestSystem, wholePage } from './system.testkit.ts'

let fixture: TestSystem
beforeAll(async () => {
  fixture = await openTestSystem()
  await fixture.createAccount('root', permissions, [], 'provider')
  await fixture.createAccount('staff', permissions, ['p'])
})
afterAll(() => fixture.close())

const add = async (name: string, parentId: number | null = null, account = 'staff', companyId?: number) =>
  fixture.system.organisations.add(await fixture.callOf(account), {
    parentId,
    name,
    description: '',
    ...(companyId === undefined ? {} : { companyId }),
  })

const move = async ({ id, version, name }: Awaited<ReturnType<typeof add>>, parentId: number | null) =>
  fixture.system.organisations.edit(await fixture.callOf('staff'), {
    id,
    version,
    name,
    parentId,
    description: '',
  })

const addCompany = async (tenant: string) =>
  fixture.system.companies.add(await fixture.callOf('root'), {
    tenant,
    name: tenant,
    timeZone: 'Asia/Urumqi',
  })

test('organisations form a tree and cannot be moved into themselves', async () => {
  const top = await add('总部')
  const part = await add('维修部', top.id)
  const deep = await add('一班', part.id)
  expect(await refusalOf(move(top, deep.id))).toEqual(['node.bad-place', { detail: '总部' }])
  expect(await refusalOf(move(top, top.id))).toEqual(['node.bad-place', { detail: '总部' }])
  expect((await move(deep, top.id)).parentId).toBe(top.id)
})

test('one of two simultaneous moves that would form a cycle is refused', async () => {
  const [left, right] = [await add('左'), await add('右')]
  const moves = await Promise.allSettled([move(left, right.id), move(right, left.id)])
  expect(moves.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('an organisation with parts or accounts cannot be deleted', async () => {
  const top = await add('客服部')
  const part = await add('热线', top.id)
  const remove = async ({ id, version }: typeof top) =>
    fixture.system.organisations.remove(await fixture.callOf('staff'), { id, version })
  expect(await refusalOf(remove(top))).toEqual(['entity.in-use', { entity: 'organisation', count: 1 }])
  await fixture.db
    .updateTable('account')
    .set({ organisation_id: part.id })
    .where('account', '=', 'staff')
    .execute()
  expect(await refusalOf(remove(part))).toEqual(['entity.in-use', { entity: 'account', count: 1 }])
  const { datalist } = await fixture.system.organisations.list(await fixture.callerOf('staff'), wholePage)
  expect(datalist.find(({ id }) => id === part.id)).toMatchObject({ accountCount: 1, abilities: ['edit'] })
})

test('an organisation name is unique among its siblings, and its company is its parent’s', async () => {
  const company = await addCompany('second')
  const theirs = await add('运行部', null, 'root', company.id)
  await add('运行部')
  expect(await refusalOf(add('运行部'))).toEqual(['entity.taken', { field: 'name' }])
  expect(await refusalOf(add('班', theirs.id))).toEqual(['organisation.not-found', {}])
  expect(await refusalOf(move(await add('散'), theirs.id))).toEqual(['organisation.not-found', {}])
  expect((await add('班', theirs.id, 'root')).companyId).toBe(company.id)
  expect(await refusalOf(add('无主', null, 'root'))).toEqual(['company.not-found', {}])
  const { datalist } = await fixture.system.organisations.list(await fixture.callerOf('staff'), wholePage)
  expect(datalist.map(({ companyId }) => companyId)).not.toContain(company.id)
})

test('only the provider adds and edits companies, and a tenant is unique', async () => {
  const { id, version } = await addCompany('fourth')
  expect(await refusalOf(addCompany('fourth'))).toEqual(['entity.taken', { field: 'tenant' }])
  const edited = { id, version, name: '第四', timeZone: 'Asia/Shanghai' }
  const { companies } = fixture.system
  const staff = await fixture.callOf('staff')
  expect(await refusalOf(companies.edit(staff, edited))).toEqual(['access.denied', {}])
  expect(await refusalOf(companies.add(staff, { tenant: 'x', name: 'x', timeZone: 'UTC' }))).toEqual([
    'access.denied',
    {},
  ])
  expect(await companies.edit(await fixture.callOf('root'), edited)).toMatchObject({
    name: '第四',
    version: 2,
  })
  expect((await companies.list(staff.caller, wholePage)).datalist.map(({ tenant }) => tenant)).toEqual([
    'demo',
  ])
})
