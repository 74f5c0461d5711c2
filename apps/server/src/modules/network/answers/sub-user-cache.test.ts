import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCaller } from '../../../platform/http/call.testkit.ts'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { createNetwork } from '../index.ts'
import { createSubUserCache } from './sub-user-cache.ts'
import type { SubUserRow } from './sub-users.pg.ts'

let core: TestCore
let chain: string

beforeAll(async () => {
  core = await createTestCore()
  chain = (await core.pathOf('a1')).split('/').filter(Boolean).join(',')
})
afterAll(() => core.close())

const below = (ids: string) => [{ field: 'parentids', cond: 'regex', vrex: `^${ids}(,|$)` } as const]
const limiter = { page: 1, size: 1000 }

/** With and without floor areas: these are different queries. */
async function request(network = core.network, scope: Scope = scopeOfEverything) {
  const query = { filter: below(chain), limiter }
  const caller = createTestCaller({ scope })
  const withAreas = await network.listSubUsers(caller, { ...query, isContainArea: 1 })
  return JSON.stringify([withAreas, await network.listSubUsers(caller, query)])
}

const changes: readonly (readonly [string, string])[] = [
  ['a building renamed', "update node set name = '八号楼' where key = 'b2'"],
  ['a building marked', "update node set is_test = true where key = 'b2'"],
  ['a building moved in order', "update node set sort_path = 'zz' where key = 'b2'"],
  ['a floor area changed', "update node set area_m2 = 77 where key = 'b2u1h'"],
  [
    'an address added',
    `insert into node (company_id, key, parent_id, kind, level, name, uuid, address, path, nestaddr, sort_path)
     select company_id, 'new', id, 'address', 8, '9室', uuid, '9室', path || '777777/', '', sort_path || 'zzzz'
     from node where key = 'b2'`,
  ],
  ['an address renamed', "update node set name = '10室', address = '10室' where key = 'new'"],
  ['an address removed', "delete from node where key = 'new'"],
  [
    'a building moved away',
    "update node set path = (select path from node other where key = 'a2') || id || '/' where key = 'b10'",
  ],
]

test.each(changes)('the cached buildings are up to date after %s', async (_, change) => {
  const before = await request()
  await sql.raw(change).execute(core.db)
  const after = await request()
  expect(after).not.toBe(before)
  const [withAreas, without] = JSON.parse(after)
  const listed = withAreas.datalist.map(({ areas: _, ...row }: { areas: unknown }) => row)
  expect(without).toEqual({ datalist: listed, total: withAreas.total })
  // A new service has an empty cache.
  expect(after).toBe(await request(createNetwork(core.db, core.devices)))
})

test('an answer cached for the whole place is not shown to a caller who is granted only a part of it', async () => {
  await request()
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('b2u1')] }
  const [[whole], [part]] = [JSON.parse(await request()), JSON.parse(await request(core.network, scope))]
  expect(whole.datalist[0].addrlist).toHaveLength(2)
  expect(part.datalist).toMatchObject([{ name: '八号楼', addrlist: ['1单元-101'] }])
})

test('a place is read page by page and does not include another whose id starts with the same digits', async () => {
  const likeIt = `/${chain.replaceAll(',', '/')}7/`
  await sql`update node set path = ${likeIt} || id || '/' where key = 'b10'`.execute(core.db)
  const listed = async (size: number, page: number) => {
    const query = { filter: below(chain), limiter: { page, size } }
    return core.network.listSubUsers(createTestCaller({ scope: scopeOfEverything }), query)
  }
  const { datalist: all, total } = await listed(1000, 1)
  expect(all.map(({ name }) => name)).not.toContain('十号楼')
  expect(total).toBe(all.length)
  for (const [index, row] of all.entries()) {
    expect(await listed(1, index + 1)).toEqual({ datalist: [row], total })
  }
  expect(await listed(1, total + 1)).toEqual({ datalist: [], total })
})

const viewer = createTestCaller({ scope: scopeOfEverything })

const building: SubUserRow = {
  uuid: 'b1',
  name: '一号楼',
  pids: '1,2',
  isTest: false,
  path: '/1/2/3/',
  version: 1,
  addresses: ['1单元-101'],
  areas: [],
}

/** Counts the reads; each page has the given rows. */
function createCounted(rows: readonly SubUserRow[] = [building]) {
  let reads = 0
  let revision = 1
  async function read() {
    reads += 1
    return { rows, total: reads }
  }
  const find = createSubUserCache({ readRevision: async () => revision, read, readBelow: read })
  return { find, reads: () => reads, change: () => (revision += 1) }
}

test('each page of a place, with or without floor areas, is read once, and again after a change', async () => {
  const { find, reads, change } = createCounted()
  const query = { filter: below('1,2'), limiter, withAreas: false }
  const requested = [query, { ...query, withAreas: true }, { ...query, limiter: { page: 2, size: 1000 } }]
  for (const each of [...requested, ...requested]) await find(viewer, each)
  expect(reads()).toBe(3)
  change()
  expect((await find(viewer, query)).total).toBe(4)
})

test('a page without buildings is not cached', async () => {
  const { find, reads } = createCounted([])
  const query = { filter: below('1,2'), limiter, withAreas: false }
  await find(viewer, query)
  await find(viewer, query)
  expect(reads()).toBe(2)
})

test.each([
  ['a name', [{ field: 'name', cond: 'like', vstd: '楼' }]],
  ['a pattern that is not a place', [{ field: 'parentids', cond: 'regex', vrex: '^1,2' }]],
  ['a place and more', [...below('1,2'), { field: 'name', cond: 'like', vstd: '楼' }]],
  ['the chain of a name', [{ field: 'name', cond: 'regex', vrex: '^1,2(,|$)' }]],
] as const)('a query by %s is read each time', async (_, filter) => {
  const { find, reads } = createCounted()
  const query = { filter: [...filter], limiter, withAreas: false }
  await find(viewer, query)
  await find(viewer, query)
  expect(reads()).toBe(2)
})
