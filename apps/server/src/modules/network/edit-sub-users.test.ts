import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestCore, type TestCore } from '../../core.testkit.ts'
import { callOf, createEditors, createTreeView } from './edit-tree.testkit.ts'
import { expectSoundTrees } from './tree-check.testkit.ts'

let core: TestCore
let editors: ReturnType<typeof createEditors>
let tree: ReturnType<typeof createTreeView>
const heard: { readonly channel: string; readonly payload: string | undefined }[] = []

beforeAll(async () => {
  core = await createTestCore()
  editors = createEditors(core.db, core.network)
  tree = createTreeView(core.db)
  for (const channel of ['structure_changed', 'registry_changed'] as const) {
    core.signals.listen(channel, (payload) => heard.push({ channel, payload }))
  }
})
beforeEach(() => {
  heard.length = 0
})
afterAll(async () => {
  await expectSoundTrees(core.db)
  await core.close()
})

const refusal = (code: string) => expect.objectContaining({ code })
test('a building comes with its units and households, in the order of their numbers', async () => {
  const building = await editors.subUsers.add(
    {
      ...{ name: '五号楼', parentId: await core.nodeId('a1'), test: false },
      addrlist: ['十单元-101', '二单元-1001', '二单元-201', '3单元'],
      areas: [{ address: '二单元-201', areaM2: 88.5 }],
    },
    callOf(),
  )
  expect(building.addrlist).toEqual(['二单元-201', '二单元-1001', '3单元', '十单元-101'])
  const key = `${building.uuid}-L2-二单元-201`
  expect(await core.network.resolveNodes(callOf().caller.scope, [key])).toHaveLength(1)
  await expectSoundTrees(core.db)

  const edited = await editors.subUsers.edit(
    { uuid: building.uuid, version: building.version, addrlist: ['二单元-201', '二单元-301'], areas: [] },
    callOf(),
  )
  expect(edited.addrlist).toEqual(['二单元-201', '二单元-301'])
  expect(edited.version).toBeGreaterThan(building.version)
  const read = await core.network.listSubUsers(callOf().caller, {
    filter: [{ field: 'uuid', cond: 'eq', vstd: building.uuid }],
    limiter: { page: 1, size: 1 },
    isContainArea: 1,
  })
  expect(read.datalist.map(({ areas }) => areas)).toEqual([[{ address: '二单元-201', areaM2: 88.5 }]])
  await expectSoundTrees(core.db)

  const stale = { uuid: building.uuid, version: building.version, addrlist: [], areas: [] }
  await expect(editors.subUsers.edit(stale, callOf())).rejects.toEqual(refusal('entity.stale'))
  const moved = await editors.subUsers.edit(
    { uuid: building.uuid, version: edited.version, parentId: await core.nodeId('a2'), areas: [] },
    callOf(),
  )
  expect(moved.addrlist).toEqual(edited.addrlist)
  await expectSoundTrees(core.db)
  await editors.subUsers.remove({ uuid: building.uuid, version: moved.version }, callOf())
  await expectSoundTrees(core.db)
})

test('an address with a device on it neither goes nor is its building removed', async () => {
  const { version } = await tree.keep('b2')
  const uuid = await core.nodeKey('b2')
  const answer = editors.subUsers.edit({ uuid, version, addrlist: ['1单元-101'], areas: [] }, callOf())
  await expect(answer).rejects.toEqual(refusal('node.not-empty'))
  await expect(editors.subUsers.remove({ uuid, version }, callOf())).rejects.toEqual(
    refusal('node.not-empty'),
  )
  expect((await tree.keep('b2')).version).toBe(version)
})

test('an area of an address that is not there is refused, and nothing of the call is done', async () => {
  const { version } = await tree.keep('b2')
  const uuid = await core.nodeKey('b2')
  const areas = [{ address: '9单元-999', areaM2: 50 }]
  const answer = editors.subUsers.edit({ uuid, version, name: '改名', areas }, callOf())
  await expect(answer).rejects.toEqual(refusal('node.not-found'))
  expect((await tree.keep('b2')).name).toBe('二号楼')
})

test('§3 a special test-marked user: one of a project', async () => {
  const parentId = await core.nodeId('a1')
  const add = (name: string) =>
    editors.subUsers.add({ name, parentId, addrlist: [], areas: [], test: true }, callOf())
  const marked = await add('测试')
  expect(marked.test).toBe(true)
  await expect(add('又一个')).rejects.toEqual(refusal('entity.taken'))
  await editors.subUsers.remove({ uuid: marked.uuid, version: marked.version }, callOf())
})

test('§4 subdivision type s: a group is marked once, otherwise and no more, and its parent is told of', async () => {
  const sid = String(await core.nodeId('a1'))
  const mark = await editors.subdivisions.add({ sid, stype: 's' }, callOf())
  const { companyId } = await tree.keep('s1')
  const payload = JSON.stringify({ companyId, paths: [await core.pathOf('s1')] })
  await vi.waitFor(() => expect(heard).toContainEqual({ channel: 'structure_changed', payload }))
  await expect(editors.subdivisions.add({ sid, stype: 's' }, callOf())).rejects.toEqual(
    refusal('entity.taken'),
  )
  const edited = await editors.subdivisions.edit({ sid, stype: 'x', version: mark.version }, callOf())
  expect(edited).toMatchObject({ stype: 'x', version: 2 })
  const stale = editors.subdivisions.remove({ sid, version: 1 }, callOf())
  await expect(stale).rejects.toEqual(refusal('entity.stale'))
  await editors.subdivisions.remove({ sid, version: 2 }, callOf())
})

test('nodes are put on the map and taken off it; who did not know of a place is told', async () => {
  const [node, other] = [await core.nodeKey('s1'), await core.nodeKey('b2')]
  const place = { longitudeDeg: 116.4, latitudeDeg: 39.9, outline: null }
  const outline: [number, number][] = [
    [116, 39],
    [117, 39],
    [117, 40],
  ]
  const items = [
    { node, place },
    { node: other, place: { ...place, outline } },
  ]
  const { datalist } = await editors.zoneGis.save({ items }, callOf())
  expect(datalist.map((row) => [row.label, row.nodetype, row.place.outline, row.version])).toEqual([
    ['一号站', 'group', null, 1],
    ['二号楼', 'user', outline, 1],
  ])
  await expect(editors.zoneGis.save({ items: [{ node, place }] }, callOf())).rejects.toEqual(
    refusal('entity.stale'),
  )
  const near = [{ field: 'longitudeDeg', cond: 'gt', vstd: 116 } as const]
  const scope = { kind: 'paths', paths: [await core.pathOf('a1')] } as const
  const seen = await editors.zoneGis.list({ filter: near, limiter: { page: 1, size: 10 } }, callOf({ scope }))
  expect(seen.datalist.map(({ label }) => label)).toEqual(['二号楼'])
  const gone = [
    { node, version: 1, place: null },
    { node: other, version: 1, place: null },
  ]
  expect((await editors.zoneGis.save({ items: gone }, callOf())).datalist).toEqual([])
})
