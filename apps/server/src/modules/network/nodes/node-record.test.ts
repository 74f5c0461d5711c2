import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { callOf, startTreeEditing } from '../edit-tree.testkit.ts'
import { readNodeRecord } from './node-record.pg.ts'

const { core, editors } = await startTreeEditing()

const read = async (key: string, paths?: readonly string[]) => {
  const scope = paths && ({ kind: 'paths', paths: [...paths] } as const)
  return readNodeRecord(core.db, callOf(scope && { scope }).caller, await core.nodeKey(key))
}

test('a record has the values, parent and version of a node, and what refers to it or to nodes below', async () => {
  await core.createAccount('of-area', [], ['a1'])
  const station = await read('s1')
  expect(station).toMatchObject({
    nodetype: 'group',
    level: 4,
    name: '一号站',
    nestaddr: '集团,公司,一号站',
    parent: await core.nodeKey('c'),
    abilities: ['add', 'edit', 'remove'],
  })
  const below = `${await core.pathOf('s1')}%`
  const { rows } = await sql`
    select count(distinct node.id)::int - 1 as nodes, count(device.id)::int as devices
    from node left join device on device.node_id = node.id where node.path like ${below}`.execute(core.db)
  expect(station.touches).toMatchObject({ ...Object(rows[0]), accounts: 1 })
  expect(station.touches?.devices).toBeGreaterThan(0)
  expect((await read('s2')).touches?.accounts).toBe(0)
  expect((await read('p')).parent).toBeNull()
})

test('an address has version and abilities of its building, which contains the addresses', async () => {
  const { uuid } = await editors.subUsers.add(
    { parentId: await core.nodeId('a1'), name: '新楼', addrlist: ['1单元-101'], areas: [], test: false },
    callOf(),
  )
  const unit = await readNodeRecord(core.db, callOf().caller, `${uuid}-L1-1单元`)
  expect(unit).toMatchObject({
    nodetype: 'addr',
    level: 7,
    name: '1单元',
    parent: uuid,
    version: 1,
    abilities: ['edit', 'remove'],
    touches: { nodes: 1, devices: 0, accounts: 0 },
  })
  const household = await readNodeRecord(core.db, callOf().caller, `${uuid}-L2-1单元-101`)
  expect(household.parent).toBe(`${uuid}-L1-1单元`)
})

test('an ancestor of what is granted has no abilities and no numbers', async () => {
  const station = await read('s1', [await core.pathOf('a1')])
  expect(station).toMatchObject({ name: '一号站', abilities: [] })
  expect(station.touches).toBeUndefined()
})
