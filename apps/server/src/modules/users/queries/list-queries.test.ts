import { permissions } from '@isotherm/contract/permissions'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { startUsers, type TestUsers } from '../users.testkit.ts'
import { createGrantsStore } from './grants.pg.ts'
import { listUserRoles } from './user-roles.pg.ts'
import { createUsersStore } from './users.pg.ts'

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

/** The database, and how many statements went to it. */
function watch() {
  const seen = { statements: 0 }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      seen.statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: users.db.withPlugin(plugin), seen }
}

test('the devices of many sub-accounts are asked for together, and are those of each asked for alone', async () => {
  const { db, seen } = watch()
  const store = createGrantsStore(db)
  const { list, total } = await store.listSubAccountDevices(chief.caller, parentId, limiter)
  const ofMany = seen.statements
  expect([list.length, total]).toEqual([5, 5])
  for (const { suid, deviceIds, devCount } of list) {
    const alone = await store.listDevices(chief.caller, suid, { filter: [], limiter })
    expect([suid, deviceIds, devCount]).toEqual([suid, alone.rows.map(({ id }) => id), alone.total])
  }
  expect(list.map(({ account, devCount }) => [account, devCount > 0])).toEqual([
    ['four', true],
    ['none', false],
    ['one', true],
    ['three', true],
    ['two', true],
  ])
  seen.statements = 0
  await store.listSubAccountDevices(chief.caller, parentId, { page: 1, size: 1 })
  expect(seen.statements).toBe(ofMany)
})

test('a retired device is none of theirs', async () => {
  const store = createGrantsStore(users.db)
  const countOfThree = async () => {
    const { list } = await store.listSubAccountDevices(aside.caller, parentId, limiter)
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

test('whom the caller may see is asked once for a page of accounts and their total', async () => {
  const { db, seen } = watch()
  const store = createUsersStore(db)
  const query = { account: 'o', resultListType: 1, pageNo: 1, pageSize: 2 } as const
  const first = await store.list(chief.caller, query)
  expect(seen.statements).toBe(1)
  const second = await store.list(chief.caller, { ...query, pageNo: 2 })
  expect([first.total, first.rows.length + second.rows.length]).toEqual([4, 4])
  expect([...first.rows, ...second.rows].map(({ account }) => account)).toEqual([
    'four',
    'none',
    'one',
    'two',
  ])
  expect(await store.list(chief.caller, { ...query, pageNo: 9 })).toEqual({ rows: [], total: 4 })
  expect(await store.list(chief.caller, { ...query, account: 'nobody at all' })).toEqual({
    rows: [],
    total: 0,
  })
})

test('so it is for a page of the roles of accounts', async () => {
  const { db, seen } = watch()
  const first = await listUserRoles(db, chief.caller, { page: 1, size: 1 })
  expect(seen.statements).toBe(1)
  const all = await listUserRoles(users.db, chief.caller, limiter)
  expect(all.datalist).toHaveLength(all.total)
  expect(first).toEqual({ datalist: all.datalist.slice(0, 1), total: all.total })
  expect(await listUserRoles(users.db, chief.caller, { page: 9, size: 100 })).toEqual({
    datalist: [],
    total: all.total,
  })
})
