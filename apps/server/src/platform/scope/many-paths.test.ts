import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { numberField, toConditions } from '../postgres/filter.pg.ts'
import { isBelow, isDeviceBelow, isVisible } from './scope.pg.ts'

let core: TestCore
let households: { id: number; path: string }[]

beforeAll(async () => {
  core = await createTestCore()
  await sql`
    insert into node (company_id, key, parent_id, kind, level, name, uuid, address, path, nestaddr, sort_path)
    select building.company_id, 'many' || nr, building.id, 'address', 8, '室' || nr, building.uuid, '室' || nr,
      building.path || (1000000 + nr) || '/', building.nestaddr || ',室' || nr, building.sort_path || nr || '/'
    from node building, generate_series(1, 6000) nr where building.key = 'b3'`.execute(core.db)
  await sql`analyze node`.execute(core.db)
  await sql`insert into device_model (kind, name) values ('room-sensor', 'many')`.execute(core.db)
  await sql`
    insert into device (company_id, serial, kind, name, model, node_id, period_s)
    select company_id, 'M-' || key, 'room-sensor', key, 'many', id, 60 from node where key like 'many%'`.execute(
    core.db,
  )
  await sql`analyze`.execute(core.db)
  const found = await sql<{ id: number; path: string }>`
    select id, path from node where key like 'many%' order by id`.execute(core.db)
  households = found.rows
})
afterAll(() => core.close())

const explain = async (query: ReturnType<typeof sql>): Promise<string> => {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(core.db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('500 scattered grants use the index on paths instead of a scan of all nodes', async () => {
  const paths = households.filter((_, index) => index % 12 === 0).map(({ path }) => path)
  expect(paths).toHaveLength(500)
  const query = sql`select id from node where ${isBelow('node.path', paths)}`
  const { rows } = await query.execute(core.db)
  expect(rows).toHaveLength(500)
  expect(await explain(query)).not.toMatch(/Seq Scan on node|~~/)
})

test('nodes are never compared with the paths of devices', async () => {
  const paths = households.slice(0, 2_000).map(({ id, path }) => `${path}d${id}/`)
  const plan = await explain(sql`select id from node where ${isVisible('path', { kind: 'paths', paths })}`)
  expect(plan).not.toContain('~~')
})

test('subtrees and single devices are each found by their own index', async () => {
  const [one, two] = households
  const { rows: devices } = await sql<{ id: number }>`
    select device.id from device where node_id = ${two?.id}`.execute(core.db)
  const paths = [one?.path ?? '', `${two?.path}d${devices[0]?.id}/`]
  const query = sql<{ node: number }>`
    select node.id as node from device join node on node.id = device.node_id where ${isDeviceBelow(paths)}`
  const { rows } = await query.execute(core.db)
  expect(rows.map(({ node }) => node).toSorted()).toEqual([one?.id, two?.id].toSorted())
  expect(await explain(query)).not.toMatch(/Seq Scan on device/)
})

test('a filter on ids uses their index; a fraction is compared as a number', async () => {
  const fields = { id: numberField(sql`device.id`) }
  const { rows: devices } = await sql<{ id: number }>`select id from device order by id limit 3`.execute(
    core.db,
  )
  const vstd = devices.map(({ id }) => id).join()
  const find = (value: string) =>
    sql<{ id: number }>`
      select id from device where ${toConditions(fields, [{ field: 'id', cond: 'in', vstd: value }])} order by id`
  expect((await find(vstd).execute(core.db)).rows).toEqual(devices)
  expect(await explain(find(vstd))).not.toMatch(/Seq Scan on device/)
  expect((await find(`${vstd},0.5`).execute(core.db)).rows).toEqual(devices)
})
