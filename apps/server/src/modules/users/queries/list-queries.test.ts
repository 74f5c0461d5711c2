import { permissions } from '@isotherm/contract/access/permissions'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { startUsers, type TestUsers } from '../users.testkit.ts'
import { listGrantedDevices, listSubAccountDevices } from './grants.pg.ts'
import { listUserRoles } from './user-roles.pg.ts'
import { listUsers } from './users.pg.ts'

let users: TestUsers
let chief: Call
let aside: Call
let parentId = 0
const limiter = { page: 1, size: 100 }

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('chief', permissions, ['p'])
  await users.createAccount('aside', permissions, ['a1', 's2'])
  chief = await users.as('chief')
  aside = await users.as('aside')
  const nodes = await Promise.all(['a1', 's2'].map((key) => users.nodeKey(key)))
  parentId = (await users.register(chief, 'parent', { nodes })).id
  const valve = await users.deviceId('V-b3u1')
  for (const [account, keys, deviceIds] of [
    ['one', ['a1'], [valve]],
    ['two', ['b2', 'b10u1'], []],
    ['three', [], [valve]],
    ['four', ['s2', 'b3'], [valve]],
    ['none', [], []],
  ] as const) {
    const given = await Promise.all(keys.map((key) => users.nodeKey(key)))
    await users.register(chief, account, { secAccount: 'parent', nodes: given, deviceIds: [...deviceIds] })
  }
})
afterAll(() => users.close())

/** The database, with a count of its statements. */
function createCountedDatabase() {
  const counted = { statements: 0 }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      counted.statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: users.db.withPlugin(plugin), counted }
}

test('one query reads the devices of many sub-accounts, with the same result as one query for each', async () => {
  const { db, counted } = createCountedDatabase()
  const { list, total } = await listSubAccountDevices(db, chief.caller, parentId, limiter)
  const ofMany = counted.statements
  expect([list.length, total]).toEqual([5, 5])
  for (const { suid, deviceIds, devCount } of list) {
    const alone = await listGrantedDevices(db, chief.caller, suid, { filter: [], limiter })
    expect([suid, deviceIds, devCount]).toEqual([suid, alone.rows.map(({ id }) => id), alone.total])
  }
  expect(list.map(({ account, devCount }) => [account, devCount > 0])).toEqual([
    ['four', true],
    ['none', false],
    ['one', true],
    ['three', true],
    ['two', true],
  ])
  counted.statements = 0
  await listSubAccountDevices(db, chief.caller, parentId, { page: 1, size: 1 })
  expect(counted.statements).toBe(ofMany)
})

test('a retired device is not listed', async () => {
  const countOfThree = async () => {
    const { list } = await listSubAccountDevices(users.db, aside.caller, parentId, limiter)
    return list.find(({ account }) => account === 'three')?.devCount
  }
  expect(await countOfThree()).toBe(1)
  const id = await users.deviceId('V-b3u1')
  const setRetired = (at: Date | null) =>
    users.db.updateTable('device').set({ retired_at: at }).where('id', '=', id).execute()
  await setRetired(new Date())
  expect(await countOfThree()).toBe(0)
  await setRetired(null)
})

test('one statement reads a page of accounts and their total', async () => {
  const { db, counted } = createCountedDatabase()
  const query = { account: 'o', resultListType: 1, pageNo: 1, pageSize: 2 } as const
  const first = await listUsers(db, chief.caller, query)
  expect(counted.statements).toBe(1)
  const second = await listUsers(db, chief.caller, { ...query, pageNo: 2 })
  expect([first.total, first.rows.length + second.rows.length]).toEqual([4, 4])
  expect([...first.rows, ...second.rows].map(({ account }) => account)).toEqual([
    'four',
    'none',
    'one',
    'two',
  ])
  expect(await listUsers(db, chief.caller, { ...query, pageNo: 9 })).toEqual({ rows: [], total: 4 })
  expect(await listUsers(db, chief.caller, { ...query, account: 'nobody at all' })).toEqual({
    rows: [],
    total: 0,
  })
})

test('one statement reads a page of the roles of accounts and their total', async () => {
  const { db, counted } = createCountedDatabase()
  const first = await listUserRoles(db, chief.caller, { page: 1, size: 1 })
  expect(counted.statements).toBe(1)
  const all = await listUserRoles(users.db, chief.caller, limiter)
  expect(all.datalist).toHaveLength(all.total)
  expect(first).toEqual({ datalist: all.datalist.slice(0, 1), total: all.total })
  expect(await listUserRoles(users.db, chief.caller, { page: 9, size: 100 })).toEqual({
    datalist: [],
    total: all.total,
  })
})
