import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { callOf, startTreeEditing } from '../edit-tree.testkit.ts'
import { expectSoundTrees } from '../tree-check.testkit.ts'
import { createGroupEditor } from './edit-groups.ts'

const { core, editors, tree, received } = await startTreeEditing()

const refusal = (code: string) => expect.objectContaining({ code })

test('a new group is in name order among its siblings, and no other row is written', async () => {
  const parentId = await core.nodeId('c')
  const writes = await tree.watchWrites()
  const group = await editors.groups.add({ parentId, title: '一百号站', level: 4, description: '' }, callOf())
  expect(await tree.namesBelow(parentId)).toEqual(['一号站', '二号站', '一百号站'])
  expect(await writes()).toEqual(['集团,公司,一百号站'])
  const between = await editors.groups.add(
    { parentId, title: '一号站乙', level: 3, description: '' },
    callOf(),
  )
  expect(await tree.namesBelow(parentId)).toEqual(['一号站', '一号站乙', '二号站', '一百号站'])
  expect(group).toMatchObject({
    version: 1,
    parentId,
    projectId: await core.nodeId('p'),
    abilities: ['add', 'edit', 'remove'],
  })
  const items = [group, between].map(({ id, version }) => ({ id, version }))
  await editors.groups.remove({ items }, callOf())
  await expectSoundTrees(core.db)
})

test('a renamed group changes the names below it and its own version only', async () => {
  const { id, version } = await tree.read('s2')
  const edited = await editors.groups.edit({ id, version, title: '零号站' }, callOf())
  expect(edited).toMatchObject({ title: '零号站', version: version + 1 })
  expect(await tree.namesBelow(await core.nodeId('c'))).toEqual(['零号站', '一号站'])
  const area = await core.db
    .selectFrom('node')
    .select(['nestaddr', 'version'])
    .where('key', '=', 'a2')
    .executeTakeFirstOrThrow()
  expect(area).toEqual({ nestaddr: '集团,公司,零号站,西区', version: 1 })
  const found = await core.network.searchTree(callOf().caller, { text: '零号站', size: 5 })
  expect(found.datalist.map(({ nestaddr }) => nestaddr)).toContain('集团,公司,零号站')
  await editors.groups.edit({ id, version: version + 1, title: '二号站' }, callOf())
  await expectSoundTrees(core.db)
})

test('a move is refused, and nothing moves, if it takes a device away from the place that needs it', async () => {
  const area = await tree.read('a1')
  const to = await tree.read('s2')
  const paths: string[] = []
  const guarded = createGroupEditor(core.db, async (transaction) => {
    const read = async () =>
      (
        await transaction
          .selectFrom('node')
          .select('path')
          .where('id', '=', area.id)
          .executeTakeFirstOrThrow()
      ).path
    paths.push(await read())
    return async () => {
      paths.push(await read())
      throw new AppError('irrigation.sensor-attached', { device: 'F1', source: 'P1' })
    }
  })
  const moved = guarded.edit({ id: area.id, version: area.version, parentId: to.id }, callOf())
  await expect(moved).rejects.toMatchObject({ code: 'irrigation.sensor-attached' })
  expect(paths).toEqual([area.path, `${to.path}${area.id}/`])
  expect(await tree.read('a1')).toEqual(area)
})

test('a group moves with its subtree and its grants; both parents and the devices are signalled', async () => {
  const area = await tree.read('a1')
  const [from, to] = [await tree.read('s1'), await tree.read('s2')]
  const accountId = await core.createAccount('of-area', [], ['a1'])
  await editors.groups.edit({ id: area.id, version: area.version, parentId: to.id }, callOf())
  const path = `${to.path}${area.id}/`
  expect(await core.pathOf('b2u1h')).toMatch(new RegExp(`^${path}`))
  const granted = await core.db
    .selectFrom('account_node')
    .innerJoin('node', 'node.id', 'account_node.node_id')
    .select('path')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect(granted.path).toBe(path)
  const { companyId } = await tree.read('s1')
  await vi.waitFor(
    () => {
      expect(received).toContainEqual({ channel: 'registry_changed', payload: `below:${path}` })
      const payload = JSON.stringify({ companyId, paths: [from.path, to.path] })
      expect(received).toContainEqual({ channel: 'structure_changed', payload })
    },
    { timeout: 30_000 },
  )
  await expectSoundTrees(core.db)
  await editors.groups.edit({ id: area.id, version: area.version + 1, parentId: from.id }, callOf())
})

test('the operation log contains a move as one change of the moved node', async () => {
  const area = await tree.read('a1')
  const call = callOf()
  await editors.groups.edit({ id: area.id, version: area.version, parentId: await core.nodeId('s2') }, call)
  const last = await core.db
    .selectFrom('operation')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const changes = await core.db
    .selectFrom('operation_change')
    .select(['entity', 'entity_id', 'before', 'after'])
    .where('operation_id', '=', last.id)
    .execute()
  const [s1, s2] = [await core.nodeId('s1'), await core.nodeId('s2')]
  expect(changes).toEqual([
    { entity: 'node', entity_id: String(area.id), before: { parent_id: s1 }, after: { parent_id: s2 } },
  ])
  await editors.groups.edit({ id: area.id, version: area.version + 1, parentId: s1 }, callOf())
})

test.each([
  ['below itself', 's1', 'a1', undefined],
  ['below a group of its own level', 's1', 's2', undefined],
  ['to a level above its parent', 'a1', undefined, 3],
  ['to the level of a group below it', 's1', undefined, 5],
] as const)('a group does not move %s', async (_where, key, to, level) => {
  const { id, version } = await tree.read(key)
  const parentId = to === undefined ? undefined : await core.nodeId(to)
  const answer = editors.groups.edit({ id, version, parentId, level }, callOf())
  await expect(answer).rejects.toEqual(refusal('node.bad-place'))
})

test('a group cannot be below a building or below another company', async () => {
  await importRegistry(core.db, {
    ...createRegistry('other'),
    devices: [],
    nodes: [{ key: 'other', parent: null, kind: 'project', level: 1, name: '外集团' }],
  })
  const { id, version } = await tree.read('s1')
  const other = await core.nodeId('other')
  await expect(editors.groups.edit({ id, version, parentId: other }, callOf())).rejects.toEqual(
    refusal('node.bad-place'),
  )
  const building = await core.nodeId('b2')
  const answer = editors.groups.add({ parentId: building, title: 'x', level: 5, description: '' }, callOf())
  await expect(answer).rejects.toEqual(refusal('node.bad-place'))
})

test('siblings have different names; a name can be used elsewhere, and again after its removal', async () => {
  const [s1, s2] = [await core.nodeId('s1'), await core.nodeId('s2')]
  const add = (parentId: number) =>
    editors.groups.add({ parentId, title: '东区', level: 5, description: '' }, callOf())
  await expect(add(s1)).rejects.toEqual(refusal('entity.taken'))
  const elsewhere = await add(s2)
  const back = { id: elsewhere.id, version: 1, parentId: s1 }
  await expect(editors.groups.edit(back, callOf())).rejects.toEqual(refusal('entity.taken'))
  await editors.groups.remove({ items: [{ id: elsewhere.id, version: 1 }] }, callOf())
  const again = await add(s2)
  await editors.groups.remove({ items: [{ id: again.id, version: 1 }] }, callOf())
})

test('a group that is not empty is not removed; a list is removed whole or not at all', async () => {
  const parentId = await core.nodeId('s2')
  const upper = await editors.groups.add(
    { parentId: await core.nodeId('c'), title: '新站', level: 4, description: '' },
    callOf(),
  )
  const lower = await editors.groups.add(
    { parentId: upper.id, title: '新区', level: 5, description: '' },
    callOf(),
  )
  const empty = await editors.groups.add({ parentId, title: '空区', level: 5, description: '' }, callOf())
  const remove = (...items: { id: number; version: number }[]) =>
    editors.groups.remove({ items: items.map(({ id, version }) => ({ id, version })) }, callOf())
  await expect(remove(empty, upper)).rejects.toEqual(refusal('node.not-empty'))
  expect(await tree.namesBelow(parentId)).toContain('空区')
  await expect(remove({ ...empty, version: 7 })).rejects.toEqual(refusal('entity.stale'))
  await remove(empty, upper, lower)
  await expect(remove(empty)).rejects.toEqual(refusal('node.not-found'))
  await expect(remove(await tree.read('a1'))).rejects.toEqual(refusal('node.not-empty'))
})

test('a caller who is granted a group may rename it, but not move it out or change its ancestors', async () => {
  const area = await tree.read('a1')
  const caller = { scope: { kind: 'paths', paths: [area.path] } } as const
  const renamed = await editors.groups.edit(
    { id: area.id, version: area.version, title: '东区甲' },
    callOf(caller),
  )
  const out = { id: area.id, version: renamed.version, parentId: await core.nodeId('s2') }
  await expect(editors.groups.edit(out, callOf(caller))).rejects.toEqual(refusal('node.not-found'))
  const above = await tree.read('s1')
  const answer = editors.groups.edit({ id: above.id, version: above.version, title: 'x' }, callOf(caller))
  await expect(answer).rejects.toEqual(refusal('node.not-found'))
  await editors.groups.edit({ id: area.id, version: renamed.version, title: '东区' }, callOf(caller))
})

/** Leaves no room between two siblings: a new one between them moves all siblings. */
async function fillGap(parentId: number) {
  const add = (title: string) => editors.groups.add({ parentId, title, level: 5, description: '' }, callOf())
  const first = await add('y1')
  const building = await editors.subUsers.add(
    { name: 'y2', parentId: first.id, addrlist: ['1单元-101'], areas: [], test: false },
    callOf(),
  )
  const put = (id: number, position: string) =>
    sql`
    update node set sort_path = regexp_replace(sort_path, '^(([0-9a-z]+/){3})[^/]+', '\\1' || ${position}::text)
    where path like ${`%/${id}/%`}`.execute(core.db)
  await put(first.id, 'y0000000000000000001')
  const last = await add('y3')
  await put(last.id, 'y0000000000000000002')
  return { add, first, building, last }
}

test('without room between two siblings, all siblings and their subtrees get new positions', async () => {
  const parentId = await core.nodeId('s2')
  const { add } = await fillGap(parentId)
  await add('y2')
  expect((await tree.namesBelow(parentId)).slice(-3)).toEqual(['y1', 'y2', 'y3'])
  await expectSoundTrees(core.db)
})

test('a building moved between siblings without room follows its group when the siblings are moved', async () => {
  const parentId = await core.nodeId('s1')
  const { building } = await fillGap(parentId)
  await editors.subUsers.edit({ uuid: building.uuid, version: 1, parentId, areas: [] }, callOf())
  expect((await tree.namesBelow(parentId)).slice(-3)).toEqual(['y1', 'y2', 'y3'])
  await expectSoundTrees(core.db)
})
