import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCaller } from '../../platform/http/call.testkit.ts'
import { type Scope, scopeOfEverything } from '../../platform/scope/scope.ts'
import { createRegistry, createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { importRegistry } from '../devices/import/import-registry.testkit.ts'

let core: TestCore
let onlyUnit: Scope
let onlySecondStation: Scope

beforeAll(async () => {
  core = await createTestCore()
  onlyUnit = { kind: 'paths', paths: [await core.pathOf('b2u1')] }
  onlySecondStation = { kind: 'paths', paths: [await core.pathOf('s2')] }
})
afterAll(() => core.close())

const page = { filter: [], limiter: { page: 1, size: 1000 } }
const refusal = (code: string) => expect.objectContaining({ code })

test('the projects are listed with their first groups', async () => {
  const { list, total } = await core.network.listProjects(createTestCaller({ scope: scopeOfEverything }), {
    pageNo: 1,
    pageSize: 20,
    queryGroupListStatus: 1,
  })
  expect(total).toBe(1)
  expect(list[0]?.projectName).toBe('集团')
  expect(list[0]?.groupList.map(({ title }) => title)).toEqual(['公司'])
})

test('projects are found by a part of their name', async () => {
  const named = (projectName: string) =>
    core.network.listProjects(createTestCaller({ scope: scopeOfEverything }), {
      pageNo: 1,
      pageSize: 20,
      projectName,
    })
  expect((await named('集')).total).toBe(1)
  expect((await named('%')).total).toBe(0)
})

test('groups are nested, with the device counts of their subtrees', async () => {
  const projectId = await core.nodeId('p')
  const { groupList } = await core.network.getGroups(createTestCaller({ scope: scopeOfEverything }), {
    projectId,
    devCountIsContainChildren: 1,
  })
  const [company] = groupList
  expect(company).toMatchObject({ title: '公司', level: 2, parentId: projectId, projectId, devCount: 15 })
  expect(company?.childrens.map(({ title, devCount }) => [title, devCount])).toEqual([
    ['一号站', 10],
    ['二号站', 5],
  ])
  expect(company?.childrens[0]?.childrens[0]?.title).toBe('东区')
})

test('groups below one group are given without the group itself', async () => {
  const { groupList } = await core.network.getGroups(createTestCaller({ scope: scopeOfEverything }), {
    projectId: await core.nodeId('p'),
    id: await core.nodeId('s2'),
  })
  expect(groupList.map(({ title }) => title)).toEqual(['西区'])
})

test('a group of another project is not found', async () => {
  const projectId = await core.nodeId('c')
  await expect(
    core.network.getGroups(createTestCaller({ scope: scopeOfEverything }), { projectId }),
  ).rejects.toEqual(refusal('node.not-found'))
})

test('buildings are ordered by their numerals and contain their lowest addresses', async () => {
  const { datalist, total } = await core.network.listSubUsers(
    createTestCaller({ scope: scopeOfEverything }),
    page,
  )
  expect(total).toBe(3)
  expect(datalist.map(({ name }) => name)).toEqual(['二号楼', '十号楼', '三号楼'])
  expect(datalist[0]?.addrlist).toEqual(['1单元-101', '2单元-101'])
})

test('buildings are filtered by the chain of their ancestors', async () => {
  const chain = [await core.nodeId('p'), await core.nodeId('c'), await core.nodeId('s2')].join(',')
  const filter = [{ field: 'parentids', cond: 'regex' as const, vrex: `^${chain}(,|$)` }]
  const { datalist } = await core.network.listSubUsers(createTestCaller({ scope: scopeOfEverything }), {
    ...page,
    filter,
  })
  expect(datalist.map(({ name }) => name)).toEqual(['三号楼'])
  expect(datalist[0]?.info.pids).toBe(`${chain},${await core.nodeId('a2')}`)
})

test.each([
  ['eq', '十号楼', ['十号楼']],
  ['ne', '十号楼', ['二号楼', '三号楼']],
  ['in', '十号楼,三号楼', ['十号楼', '三号楼']],
  ['like', '号', ['二号楼', '十号楼', '三号楼']],
  ['like', '%', []],
] as const)('a filter %s %s finds the matching buildings', async (cond, vstd, names) => {
  const filter = [{ field: 'name', cond, vstd }]
  const { datalist, total } = await core.network.listSubUsers(
    createTestCaller({ scope: scopeOfEverything }),
    { ...page, filter },
  )
  expect(datalist.map(({ name }) => name)).toEqual(names)
  expect(total).toBe(names.length)
})

test.each(['password', 'constructor', '__proto__', 'node.id; drop table node'])(
  'a filter on %s is refused',
  async (field) => {
    const filter = [{ field, cond: 'eq' as const, vstd: 'x' }]
    const answer = core.network.listSubUsers(createTestCaller({ scope: scopeOfEverything }), {
      ...page,
      filter,
    })
    await expect(answer).rejects.toEqual(refusal('filter.unknown-field'))
  },
)

test('an invalid pattern is refused', async () => {
  const filter = [{ field: 'name', cond: 'regex' as const, vrex: '(' }]
  const answer = core.network.listSubUsers(createTestCaller({ scope: scopeOfEverything }), {
    ...page,
    filter,
  })
  await expect(answer).rejects.toEqual(refusal('filter.bad-pattern'))
})

test('subdivisions contain their group and its ancestors', async () => {
  const filter = [{ field: 'stype', cond: 'eq' as const, vstd: 's' }]
  const { datalist } = await core.network.listSubdivisions(createTestCaller({ scope: scopeOfEverything }), {
    ...page,
    filter,
  })
  const psids = `${await core.nodeId('p')},${await core.nodeId('c')}`
  expect(datalist).toEqual([{ sid: await core.nodeKey('s1'), psids, stype: 's', version: 1, abilities: [] }])
})

test('subdivisions are found by the ids of their ancestors, as tree nodes name them', async () => {
  const project = await core.nodeId('p')
  const listBelow = (id: number) =>
    core.network.listSubdivisions(createTestCaller({ scope: scopeOfEverything }), {
      ...page,
      filter: [{ field: 'parentids', cond: 'regex', vrex: `^${id},` }],
    })
  expect((await listBelow(project)).datalist.map(({ sid }) => sid)).toEqual([await core.nodeKey('s1')])
  expect((await listBelow(project + 1_000)).datalist).toEqual([])
})

test('a caller who is granted one unit reaches it through its ancestors and sees none of their other children', async () => {
  const projects = await core.network.listProjects(createTestCaller({ scope: onlyUnit }), {
    pageNo: 1,
    pageSize: 20,
  })
  expect(projects.total).toBe(1)
  const { groupList } = await core.network.getGroups(createTestCaller({ scope: onlyUnit }), {
    projectId: await core.nodeId('p'),
    devCountIsContainChildren: 1,
  })
  const stations = groupList[0]?.childrens
  expect(stations?.map(({ title, devCount }) => [title, devCount])).toEqual([['一号站', 2]])
  const { datalist } = await core.network.listSubUsers(createTestCaller({ scope: onlyUnit }), page)
  expect(datalist.map(({ name, addrlist }) => [name, addrlist])).toEqual([['二号楼', ['1单元-101']]])
})

test('a caller without grants sees nothing', async () => {
  const none: Scope = { kind: 'paths', paths: [] }
  expect(
    (await core.network.listProjects(createTestCaller({ scope: none }), { pageNo: 1, pageSize: 20 })).total,
  ).toBe(0)
  expect((await core.network.listSubUsers(createTestCaller({ scope: none }), page)).total).toBe(0)
  expect(await core.network.resolveNodes(none, [])).toEqual([])
})

test('keys resolve to the paths of their subtrees', async () => {
  const uuid = await core.nodeKey('b2')
  const resolve = (...keys: string[]) => core.network.resolveNodes(scopeOfEverything, keys)
  expect(await resolve()).toEqual(['/'])
  expect(await resolve('-1')).toEqual(['/'])
  expect(await resolve(await core.nodeKey('s2'))).toEqual([await core.pathOf('s2')])
  expect(await resolve(uuid)).toEqual([await core.pathOf('b2')])
  expect(await resolve(`${uuid}-L1-1单元`)).toEqual([await core.pathOf('b2u1')])
  expect(await resolve(`${uuid}-L2-1单元-101`)).toEqual([await core.pathOf('b2u1h')])
})

test('a key below another key adds no path', async () => {
  const keys = [await core.nodeKey('s1'), await core.nodeKey('b2'), await core.nodeKey('s1')]
  expect(await core.network.resolveNodes(scopeOfEverything, keys)).toEqual([await core.pathOf('s1')])
})

test('the key of an ancestor of a grant gives the grant below it', async () => {
  expect(await core.network.resolveNodes(onlyUnit, [await core.nodeKey('p')])).toEqual([
    await core.pathOf('b2u1'),
  ])
  expect(await core.network.resolveNodes(onlyUnit, [])).toEqual([await core.pathOf('b2u1')])
})

test.each(['999999', 'nonsense', '0190b1a2-33c4-7d5e-8f60-718293a4b5c6'])(
  'the key %s is refused as unknown',
  async (key) => {
    await expect(core.network.resolveNodes(scopeOfEverything, [key])).rejects.toEqual(
      refusal('node.not-found'),
    )
  },
)

test('an address key with a wrong depth is unknown', async () => {
  const key = `${await core.nodeKey('b2')}-L2-1单元`
  await expect(core.network.resolveNodes(scopeOfEverything, [key])).rejects.toEqual(refusal('node.not-found'))
})

test('a node outside the grants is reported like one that does not exist', async () => {
  const foreign = [await core.nodeKey('s1')]
  await expect(core.network.resolveNodes(onlySecondStation, foreign)).rejects.toEqual(
    refusal('node.not-found'),
  )
})

test('a second import updates names and order and preserves every id', async () => {
  const read = () => core.db.selectFrom('node').select(['key', 'id', 'uuid', 'path']).orderBy('key').execute()
  const devices = () => core.db.selectFrom('device').select(['serial', 'id']).orderBy('serial').execute()
  const before = [await read(), await devices()]
  const file = createRegistry()
  const nodes = file.nodes.map((node) => (node.key === 's2' ? { ...node, name: '南站' } : node))
  await importRegistry(core.db, { ...file, nodes })
  expect([await read(), await devices()]).toEqual(before)
  const { nestaddr } = await core.db
    .selectFrom('node')
    .select('nestaddr')
    .where('key', '=', 'b3')
    .executeTakeFirstOrThrow()
  expect(nestaddr).toBe('集团,公司,南站,西区,三号楼')
  await importRegistry(core.db, file)
})

test.each([
  ['an unknown parent', { key: 'x', parent: 'nowhere', kind: 'group', level: 3, name: 'x' }],
  ['a key used twice', { key: 's1', parent: 'c', kind: 'group', level: 4, name: 'x' }],
  ['a building right below a project', { key: 'x', parent: 'p', kind: 'sub-user', level: 6, name: 'x' }],
  ['a level above its parent', { key: 'x', parent: 'a1', kind: 'group', level: 3, name: 'x' }],
] as const)('a file with %s is refused and changes nothing', async (_what, node) => {
  const file = createRegistry()
  const count = async () => (await core.db.selectFrom('node').select('id').execute()).length
  const before = await count()
  const answer = importRegistry(core.db, { ...file, nodes: [...file.nodes, node] })
  await expect(answer).rejects.toMatchObject({
    name: 'RegistryFileError',
    message: expect.stringContaining(node.key),
  })
  expect(await count()).toBe(before)
})
