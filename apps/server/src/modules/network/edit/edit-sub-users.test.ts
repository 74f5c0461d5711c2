import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { callOf, startTreeEditing } from '../edit-tree.testkit.ts'
import { expectSoundTrees } from '../tree-check.testkit.ts'

const { core, editors, tree, received } = await startTreeEditing()

const refusal = (code: string) => expect.objectContaining({ code })

test('a building is added with its units and households, in the order of their numbers', async () => {
  const building = await editors.subUsers.add(
    {
      name: '五号楼',
      parentId: await core.nodeId('a1'),
      test: false,
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

test('neither an address with a device nor its building can be removed', async () => {
  const { version } = await tree.read('b2')
  const uuid = await core.nodeKey('b2')
  const answer = editors.subUsers.edit({ uuid, version, addrlist: ['1单元-101'], areas: [] }, callOf())
  await expect(answer).rejects.toEqual(refusal('node.not-empty'))
  await expect(editors.subUsers.remove({ uuid, version }, callOf())).rejects.toEqual(
    refusal('node.not-empty'),
  )
  expect((await tree.read('b2')).version).toBe(version)
})

test('a floor area of an unknown address is refused, and the call changes nothing', async () => {
  const { version } = await tree.read('b2')
  const uuid = await core.nodeKey('b2')
  const areas = [{ address: '9单元-999', areaM2: 50 }]
  const answer = editors.subUsers.edit({ uuid, version, name: '改名', areas }, callOf())
  await expect(answer).rejects.toEqual(refusal('node.not-found'))
  expect((await tree.read('b2')).name).toBe('二号楼')
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

test('§4 subdivision type s: a group is marked, marked differently and unmarked, and its parent is signalled', async () => {
  const sid = String(await core.nodeId('a1'))
  const mark = await editors.subdivisions.add({ sid, stype: 's' }, callOf())
  const { companyId } = await tree.read('s1')
  const payload = JSON.stringify({ companyId, paths: [await core.pathOf('s1')] })
  await expect.poll(() => received).toContainEqual({ channel: 'structure_changed', payload })
  await expect(editors.subdivisions.add({ sid, stype: 's' }, callOf())).rejects.toEqual(
    refusal('entity.taken'),
  )
  const edited = await editors.subdivisions.edit({ sid, stype: 'x', version: mark.version }, callOf())
  expect(edited).toMatchObject({ stype: 'x', version: 2 })
  const stale = editors.subdivisions.remove({ sid, version: 1 }, callOf())
  await expect(stale).rejects.toEqual(refusal('entity.stale'))
  await editors.subdivisions.remove({ sid, version: 2 }, callOf())
})

test('nodes are placed on the map and removed from it; a caller with an outdated place is refused', async () => {
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

test('§6 of two changes from the same state one succeeds: a removed place is not restored by an old edit', async () => {
  const node = await core.nodeKey('s2')
  const place = { longitudeDeg: 116.4, latitudeDeg: 39.9, outline: null }
  const save = (given: typeof place | null, version?: number) =>
    editors.zoneGis.save({ items: [{ node, place: given, version }] }, callOf())
  await save(place)
  await save(null, 1)
  await expect(save(place, 1)).rejects.toEqual(refusal('entity.stale'))
  await expect(save(null, 1)).rejects.toEqual(refusal('entity.stale'))
  const again = await save(place)
  expect(again.datalist.map(({ version }) => version)).toEqual([2])
  // A caller with the first place is refused, too.
  await expect(save(null, 1)).rejects.toEqual(refusal('entity.stale'))
})

test('a mark that was removed and set again is a new one: an edit of the old one is refused', async () => {
  const sid = String(await core.nodeId('a2'))
  const first = await editors.subdivisions.add({ sid, stype: 's' }, callOf())
  await editors.subdivisions.remove({ sid, version: first.version }, callOf())
  const second = await editors.subdivisions.add({ sid, stype: 'x' }, callOf())
  const late = editors.subdivisions.edit({ sid, stype: 'y', version: first.version }, callOf())
  await expect(late).rejects.toEqual(refusal('entity.stale'))
  await editors.subdivisions.remove({ sid, version: second.version }, callOf())
  await core.db
    .insertInto('subdivision')
    .values({ node_id: Number(sid), stype: 's' })
    .execute()
  await core.db.deleteFrom('subdivision').where('node_id', '=', Number(sid)).execute()
  const third = await editors.subdivisions.add({ sid, stype: 'x' }, callOf())
  expect(third.version).toBe(second.version + 2)
})

test('an import that leaves a mark as it is leaves its version, too', async () => {
  const { nodes, ...registry } = createRegistry()
  const bring = (stype: string, description: string) => {
    const marked = nodes.map((node) => (node.key === 's1' ? { ...node, stype, description } : node))
    return importRegistry(core.db, { ...registry, nodes: marked, devices: [] })
  }
  const nodeId = await core.nodeId('s1')
  const marks = core.db.selectFrom('subdivision').select('version').where('node_id', '=', nodeId)
  const read = async () => (await marks.executeTakeFirstOrThrow()).version
  await bring('s', '')
  const before = await read()
  await bring('s', 'another')
  expect(await read()).toBe(before)
  await bring('x', 'another')
  expect(await read()).toBe(before + 1)
})

test('§3 the test-marked user moves to a project that has one when it drops its mark in the same edit', async () => {
  const { companyId } = await tree.read('p')
  const other = await editors.projects.add({ projectName: '乙项目', description: '', companyId }, callOf())
  const add = (parentId: number, name: string) =>
    editors.subUsers.add({ name, parentId, addrlist: [], areas: [], test: true }, callOf())
  const { id: groupId } = await editors.groups.add(
    { parentId: other.id, title: '乙区', level: 2, description: '' },
    callOf(),
  )
  await add(groupId, '乙测试')
  const moving = await add(await core.nodeId('a1'), '甲测试')
  const { uuid, version } = moving
  const edit = (test?: boolean) =>
    editors.subUsers.edit({ uuid, version, parentId: groupId, areas: [], test }, callOf())
  await expect(edit()).rejects.toEqual(refusal('entity.taken'))
  expect((await edit(false)).test).not.toBe(true)
})

test('a node that a device on another node controls cannot be removed', async () => {
  const { companyId } = await tree.read('p')
  const parentId = await core.nodeId('a2')
  const { uuid, version } = await editors.subUsers.add(
    { parentId, name: '受控楼', addrlist: [], areas: [], test: false },
    callOf(),
  )
  const nodes = core.db.selectFrom('node').select('id').where('name', '=', '受控楼')
  const { id: nodeId } = await nodes.executeTakeFirstOrThrow()
  const devices = core.db.selectFrom('device').select(['id', 'name']).orderBy('id')
  const { id: deviceId, name } = await devices.executeTakeFirstOrThrow()
  const controls = { company_id: companyId, device_id: deviceId, node_id: nodeId, purpose: 'supply' } as const
  await core.db
    .insertInto('control_device')
    .values({ ...controls, name: '总阀' })
    .execute()
  await expect(editors.subUsers.remove({ uuid, version }, callOf())).rejects.toMatchObject({
    code: 'entity.in-use',
    params: { by: name },
  })
  await core.db.deleteFrom('control_device').where('node_id', '=', nodeId).execute()
  await editors.subUsers.remove({ uuid, version }, callOf())
})

test('a building may have a hyphen in its name; units and households stay apart', async () => {
  const parentId = await core.nodeId('a1')
  const added = { parentId, name: 'A-12号楼', addrlist: ['1单元-101'], areas: [], test: false }
  const { uuid, version } = await editors.subUsers.add(added, callOf())
  const found = await core.network.searchTree(callOf().caller, { text: 'a-12', size: 5 })
  expect(found.datalist.map(({ chain }) => chain.at(-1)?.node)).toContain(uuid)
  const { rows } = await sql<{ name: string; address: string }>`
    select name, address from node where uuid = ${uuid}::uuid and kind = 'address' order by sort_path`.execute(
    core.db,
  )
  expect(rows).toEqual([
    { name: '1单元', address: '1单元' },
    { name: '101', address: '1单元-101' },
  ])
  await editors.subUsers.remove({ uuid, version }, callOf())
})
