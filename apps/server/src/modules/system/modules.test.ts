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

const page = (name: string, url: string, parentId: number | null = null) => ({
  parentId,
  name,
  url,
  icon: '',
  sort: 500,
  enabled: true,
})

const add = async (...modules: ReturnType<typeof page>[]) =>
  fixture.system.modules.add(await fixture.callOf('root'), { modules })

async function find(url: string) {
  const { datalist } = await fixture.system.modules.list(await fixture.callerOf('root'), wholePage)
  const found = datalist.find((module) => module.url === url)
  if (!found) throw new Error(`no module ${url}`)
  const { builtIn: _, abilities: __, ...module } = found
  return module
}

const edit = async (url: string, changes: Partial<Awaited<ReturnType<typeof find>>>) =>
  fixture.system.modules.edit(await fixture.callOf('root'), {
    modules: [{ ...(await find(url)), ...changes }],
  })

test('§2 every page of the route table is a module, in the order of the menu', async () => {
  const { datalist } = await fixture.system.modules.listEnabled()
  expect(datalist.map(({ url }) => url)).toEqual(permissions)
})

test('an added page belongs at once to the roles of its creator and to the administrator', async () => {
  await add(page('报表', 'https://reports.example.com/daily'))
  const { data } = await fixture.session.listModules(await fixture.callerOf('root'))
  expect(data.map(({ url }) => url)).toContain('https://reports.example.com/daily')
  const administrator = await fixture.db
    .selectFrom('role')
    .select('modules')
    .where('key', '=', 'administrator')
    .executeTakeFirstOrThrow()
  expect(administrator.modules).toContain('https://reports.example.com/daily')
})

test('no module is added if one of them has a taken url', async () => {
  const refused = add(page('甲', 'px-first'), page('乙', 'pe-fmreal'))
  expect(await refusalOf(refused)).toEqual(['entity.taken', { field: 'url' }])
  await expect(find('px-first')).rejects.toThrow('no module')
})

test('a page is in a group or at the top, not in a page', async () => {
  const [group] = await add(page('组', 'px-group'))
  const [inside] = await add(page('页', 'px-inside', group?.id ?? 0))
  expect(inside?.parentId).toBe(group?.id)
  expect(await refusalOf(add(page('页中页', 'px-deep', inside?.id ?? 0)))).toEqual([
    'node.bad-place',
    { detail: '页中页' },
  ])
  const moved = edit('px-group', { parentId: (await find('pewph')).id })
  expect(await refusalOf(moved)).toEqual(['entity.in-use', { by: '页' }])
  const items = [{ id: group?.id ?? 0, version: 1 }]
  const call = await fixture.callOf('root')
  expect(await refusalOf(fixture.system.modules.remove(call, { items }))).toEqual([
    'entity.in-use',
    { by: '页' },
  ])
  const both = [...items, { id: inside?.id ?? 0, version: 1 }]
  expect(await fixture.system.modules.remove(await fixture.callOf('root'), { items: both })).toBe(2)
})

test('a specified module can be renamed, sorted and disabled, but keeps its url', async () => {
  await edit('pc-caldata', { name: '热量', sort: 3, enabled: false })
  expect(await find('pc-caldata')).toMatchObject({ name: '热量', sort: 3, enabled: false, version: 2 })
  expect([...(await fixture.callerOf('root')).permissions]).not.toContain('pc-caldata')
  const builtIn = ['entity.built-in', { what: '热量' }]
  expect(await refusalOf(edit('pc-caldata', { url: 'px-other' }))).toEqual(builtIn)
  expect(await refusalOf(edit('pc-caldata', { parentId: null }))).toEqual(builtIn)
  const { id, version } = await find('pc-caldata')
  const call = await fixture.callOf('root')
  expect(await refusalOf(fixture.system.modules.remove(call, { items: [{ id, version }] }))).toEqual(builtIn)
})

test.each(['psys', 'ps-modelsys'])(
  '%s cannot be disabled, because nobody could enable it again',
  async (url) => {
    expect(await refusalOf(edit(url, { enabled: false }))).toMatchObject(['entity.built-in', {}])
  },
)

test('roles follow a deleted module and a changed url', async () => {
  await add(page('外', 'px-old'))
  await edit('px-old', { url: 'px-new' })
  const modulesOfRoot = async () =>
    (
      await fixture.db
        .selectFrom('role')
        .select('modules')
        .where('key', '=', 'root')
        .executeTakeFirstOrThrow()
    ).modules
  expect(await modulesOfRoot()).toContain('px-new')
  expect(await modulesOfRoot()).not.toContain('px-old')
  const { id, version } = await find('px-new')
  await fixture.system.modules.remove(await fixture.callOf('root'), { items: [{ id, version }] })
  expect(await modulesOfRoot()).not.toContain('px-new')
})

test('company staff cannot change modules, which serve every company', async () => {
  const call = await fixture.callOf('staff')
  expect(await refusalOf(fixture.system.modules.add(call, { modules: [page('x', 'px-x')] }))).toEqual([
    'access.denied',
    {},
  ])
  const { datalist } = await fixture.system.modules.list(call.caller, wholePage)
  expect(datalist.flatMap(({ abilities }) => abilities)).toEqual([])
})
