import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCaller } from '../../platform/http/call.testkit.ts'
import { type Scope, scopeOfEverything } from '../../platform/scope/scope.ts'
import { createRegistry, createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { importRegistry } from '../devices/import/import-registry.testkit.ts'

let core: TestCore
let demo: Scope

/** The small registry with a station's controller, a description and a sub-user for testing. */
function createMarked(): RegistryFile {
  const file = createRegistry()
  const nodes = file.nodes.map((node) => (node.key === 's2' ? { ...node, description: '供西区' } : node))
  nodes.push({ key: 'test', parent: 'a2', kind: 'sub-user', level: 6, name: '测试用户', test: true })
  const station = { kind: 'station', name: '控制柜', model: 'T1', concentrator: null, periodS: 60 } as const
  return { ...file, nodes, devices: [...file.devices, { ...station, serial: 'S-s1', node: 's1' }] }
}

beforeAll(async () => {
  core = await createTestCore({ registry: createMarked() })
  demo = { kind: 'paths', paths: [await core.pathOf('p')] }
})
afterAll(() => core.close())

const page = { filter: [], limiter: { page: 1, size: 1000 } }

test('§9 Project page size: 20, loaded until total is reached (§7), gives every project once, in order', async () => {
  const nodes = Array.from({ length: 45 }, (_, index) => ({
    key: `p${index}`,
    parent: null,
    kind: 'project' as const,
    level: 1,
    name: `${index + 1}号集团`,
  }))
  await importRegistry(core.db, { ...createRegistry('many'), nodes, devices: [] })
  const names: string[] = []
  for (let pageNo = 1, total = 1; names.length < total; pageNo += 1) {
    const answer = await core.network.listProjects(createTestCaller({ scope: scopeOfEverything }), {
      pageNo,
      pageSize: 20,
    })
    expect(answer.list.length).toBe(Math.min(20, answer.total - names.length))
    names.push(...answer.list.map(({ projectName }) => projectName))
    total = answer.total
  }
  expect(names).toEqual(['集团', ...nodes.map(({ name }) => name)])
})

test('§9 Subdivision and vauser page size: 1000, page after page until total', async () => {
  const nodes: RegistryFile['nodes'] = [
    { key: 'vp', parent: null, kind: 'project', level: 1, name: '大集团' },
    { key: 'va', parent: 'vp', kind: 'group', level: 5, name: '大区' },
  ]
  for (let index = 1; index <= 1005; index += 1) {
    nodes.push({ key: `v${index}`, parent: 'va', kind: 'sub-user', level: 6, name: `${index}号楼` })
  }
  await importRegistry(core.db, { ...createRegistry('large'), nodes, devices: [] })
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('vp')] }
  const list = (number: number) =>
    core.network.listSubUsers(createTestCaller({ scope }), {
      filter: [],
      limiter: { page: number, size: 1000 },
    })
  const [first, second] = [await list(1), await list(2)]
  expect([first.datalist.length, second.datalist.length, first.total]).toEqual([1000, 5, 1005])
  expect(second.datalist.map(({ name }) => name)).toEqual(
    [1001, 1002, 1003, 1004, 1005].map((n) => `${n}号楼`),
  )
})

test('§3 Group: id, title, level, parentId, projectId, description, deviceId, childrens (nested)', async () => {
  const projectId = await core.nodeId('p')
  const { groupList } = await core.network.getGroups(createTestCaller({ scope: demo }), { projectId })
  const stations = groupList[0]?.childrens
  expect(stations?.map((group) => ({ ...group, childrens: group.childrens.length }))).toEqual([
    {
      id: await core.nodeId('s1'),
      title: '一号站',
      level: 4,
      parentId: await core.nodeId('c'),
      projectId,
      description: '',
      deviceId: await core.deviceId('S-s1'),
      childrens: 1,
      version: 1,
      abilities: [],
    },
    {
      id: await core.nodeId('s2'),
      title: '二号站',
      level: 4,
      parentId: await core.nodeId('c'),
      projectId,
      description: '供西区',
      deviceId: null,
      childrens: 1,
      version: 1,
      abilities: [],
    },
  ])
})

test('a controller outside the grants is not shown', async () => {
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('a1')] }
  const { groupList } = await core.network.getGroups(createTestCaller({ scope }), {
    projectId: await core.nodeId('p'),
  })
  expect(groupList[0]?.childrens.map(({ title, deviceId }) => [title, deviceId])).toEqual([['一号站', null]])
})

test('§3 Project: groupList contains the groups directly below it', async () => {
  const { list } = await core.network.listProjects(createTestCaller({ scope: demo }), {
    pageNo: 1,
    pageSize: 20,
    queryGroupListStatus: 1,
  })
  expect(list.map(({ groupList }) => groupList.map(({ title }) => title))).toEqual([['公司']])
})

test('§3 Sub-user: uuid, name, puuids (no parent of ours has a uuid), addrlist, info with pids and url', async () => {
  const filter = [{ field: 'name', cond: 'eq' as const, vstd: '三号楼' }]
  const { datalist } = await core.network.listSubUsers(createTestCaller({ scope: demo }), { ...page, filter })
  const ids = await Promise.all(['p', 'c', 's2', 'a2'].map((key) => core.nodeId(key)))
  expect(datalist).toEqual([
    {
      uuid: await core.nodeKey('b3'),
      name: '三号楼',
      puuids: '',
      addrlist: ['1单元-101', '2单元-101'],
      info: { pids: ids.join(','), url: '' },
      version: 1,
      abilities: [],
    },
  ])
})

test('§3 Subdivision: sid, psids, stype, and an import can remove the mark', async () => {
  const sid = await core.nodeKey('s1')
  const marks = async () =>
    (await core.network.listSubdivisions(createTestCaller({ scope: demo }), page)).datalist
  expect(await marks()).toEqual([
    {
      sid,
      psids: `${await core.nodeId('p')},${await core.nodeId('c')}`,
      stype: 's',
      version: 1,
      abilities: [],
    },
  ])
  const file = createMarked()
  const nodes = file.nodes.map(({ stype: _stype, ...node }) => node)
  await importRegistry(core.db, { ...file, nodes })
  expect(await marks()).toEqual([])
  await importRegistry(core.db, file)
  expect(await marks()).toHaveLength(1)
})

test('§3 the sub-users of a level-5 group are those whose info.pids equals its parentids plus id', async () => {
  const pids = await Promise.all(['p', 'c', 's1', 'a1'].map((key) => core.nodeId(key)))
  const filter = [{ field: 'parentids', cond: 'regex' as const, vrex: `^${pids[0]},${pids[1]}(,|$)` }]
  const { datalist } = await core.network.listSubUsers(createTestCaller({ scope: demo }), { ...page, filter })
  expect(datalist.filter(({ info }) => info.pids === pids.join(',')).map(({ name }) => name)).toEqual([
    '二号楼',
    '十号楼',
  ])
})

test('§3 a special test-marked user is marked and listed with its company', async () => {
  const filter = [{ field: 'parentids', cond: 'regex' as const, vrex: `^${await core.nodeId('p')}(,|$)` }]
  const { datalist } = await core.network.listSubUsers(createTestCaller({ scope: demo }), { ...page, filter })
  expect(datalist.filter(({ test }) => test).map(({ name, addrlist }) => [name, addrlist])).toEqual([
    ['测试用户', []],
  ])
})

test('§3 an address key that only the test-marked user shows, from the union of all lists, gives that user', async () => {
  const uuid = await core.nodeKey('test')
  expect(await core.network.resolveNodes(demo, [`${uuid}-L2-1单元-101`])).toEqual([await core.pathOf('test')])
  const foreign: Scope = { kind: 'paths', paths: [await core.pathOf('s1')] }
  await expect(core.network.resolveNodes(foreign, [`${uuid}-L2-1单元-101`])).rejects.toMatchObject({
    code: 'node.not-found',
  })
  const unmarked = `${await core.nodeKey('b3')}-L1-7单元`
  await expect(core.network.resolveNodes(demo, [unmarked])).rejects.toMatchObject({ code: 'node.not-found' })
})
