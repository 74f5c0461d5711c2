import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCaller } from '../../../platform/http/call.testkit.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'

let core: TestCore
let added: { name: string; path: string }[]

beforeAll(async () => {
  core = await createTestCore()
  const { rows } = await sql<{ name: string; path: string }>`
    insert into node (company_id, key, parent_id, kind, level, name, uuid, address, path, nestaddr, sort_path, area_m2)
    select building.company_id, 'more' || nr, building.id, 'address', 8, '室' || nr, building.uuid, '室' || nr,
      building.path || (1000000 + nr) || '/', building.nestaddr || ',室' || nr, building.sort_path || 'y' || nr || '/', nr
    from node building, generate_series(10, 49) nr where building.key = 'b3'
    returning name, path`.execute(core.db)
  added = rows
})
afterAll(() => core.close())

/** Buildings with their addresses and floor areas, for a caller who is granted `paths`. */
async function request(paths: readonly string[]) {
  const caller = createTestCaller({ scope: { kind: 'paths', paths } })
  const page = { filter: [], limiter: { page: 1, size: 1000 }, isContainArea: 1 as const }
  const { datalist } = await core.network.listSubUsers(caller, page)
  return datalist.map(({ name, addrlist, areas }) => ({
    name,
    addrlist,
    areas: areas?.map(({ address, areaM2 }) => `${address} ${areaM2}`),
  }))
}

// Up to eight subtrees are compared with the path one by one; for more, the ids in the path are looked up.
test.each([1, 8, 9, 30])(
  'a building with %i granted households shows only these; a building granted whole shows all',
  async (count) => {
    const granted = added.slice(0, count)
    const [whole, part] = await request([await core.pathOf('b2'), ...granted.map(({ path }) => path)])
    expect(whole).toEqual({
      name: '二号楼',
      addrlist: ['1单元-101', '2单元-101'],
      areas: ['1单元-101 90', '2单元-101 90'],
    })
    expect(part).toEqual({
      name: '三号楼',
      addrlist: granted.map(({ name }) => name),
      areas: granted.map(({ name }) => `${name} ${name.slice(1)}`),
    })
  },
)

test('a building where only a device is granted shows no addresses', async () => {
  const path = `${await core.pathOf('b3')}d${await core.deviceId('C-b3')}/`
  expect(await request([path])).toEqual([{ name: '三号楼', addrlist: [], areas: [] }])
})
