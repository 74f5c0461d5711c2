import { endpoints } from '@isotherm/contract/endpoints/all'
import { compareNames } from '@isotherm/kernel/chinese-numerals'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'
import { hashPassword, toClientHash } from '../session/index.ts'
import { type SeededCompany, seedCompany } from './index.ts'
import { SeedRefused } from './seed-company.pg.ts'

const order = { households: 2_000, seed: 3, tenant: 'made' }
let server: TestServer
let company: SeededCompany
let passwordHash: string

beforeAll(async () => {
  server = await startTestServer()
  passwordHash = await hashPassword(toClientHash('made'))
  company = await seedCompany(server.db, { ...order, passwordHash })
})
afterAll(() => server.stop())

/** Rows of the generated company that break a rule. */
async function listBroken(condition: ReturnType<typeof sql>): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select node.id, node.path from node left join node parent on parent.id = node.parent_id
    where node.company_id = ${company.companyId} and (${condition})`.execute(server.db)
  return rows
}

test('the stored place of every node follows from its parent, name and level', async () => {
  expect(await listBroken(sql`node.path <> coalesce(parent.path, '/') || node.id || '/'`)).toEqual([])
  expect(
    await listBroken(sql`node.nestaddr <> case when parent.id is null then node.name
      else parent.nestaddr || ',' || node.name end`),
  ).toEqual([])
  expect(await listBroken(sql`not starts_with(node.sort_path, coalesce(parent.sort_path, ''))`)).toEqual([])
  expect(
    await listBroken(sql`node.kind = 'address' and (node.uuid <> parent.uuid
      or node.address <> case parent.kind when 'address' then parent.address || '-' || node.name
        else node.name end)`),
  ).toEqual([])
})

test('siblings are stored in tree order at distinct positions', async () => {
  const rows = await server.db
    .selectFrom('node')
    .select(['parent_id as parent', 'name', 'sort_path as sortPath'])
    .where('company_id', '=', company.companyId)
    .orderBy('sort_path')
    .execute()
  expect(new Set(rows.map(({ sortPath }) => sortPath)).size).toBe(rows.length)
  for (const siblings of Map.groupBy(rows, ({ parent }) => parent).values()) {
    const names = siblings.map(({ name }) => name)
    expect(names).toEqual(names.toSorted(compareNames))
  }
})

test('names are stored for the search, and models for the devices', async () => {
  const { rows } = await sql<{ missing: number }>`
    select count(*) as missing from node where company_id = ${company.companyId} and not exists (
      select from tree_name where tree_name.company_id = node.company_id and tree_name.name = node.name
        and tree_name.level = node.level)`.execute(server.db)
  expect(rows[0]?.missing).toBe(0)
  const models = await server.db.selectFrom('device_model').select('name').execute()
  expect(models.map(({ name }) => name)).toContain('HY-UH20')
})

test('the calls return the company: its groups, buildings with addresses, and devices', async () => {
  const tokens = await server.logIn('made.manager', 'made')
  const projects = await server.call(
    endpoints.queryProjectList,
    { pageNo: 1, pageSize: 10, queryGroupListStatus: 1 },
    tokens['usr-cloud'],
  )
  const [project] = endpoints.queryProjectList.output.parse(projects.data).list
  expect(project?.projectName).toBe('安居热力集团')
  const groups = await server.call(
    endpoints.getDevGroups,
    { projectId: project?.id, devCountIsContainChildren: 1 },
    tokens['usr-cloud'],
  )
  const { groupList } = endpoints.getDevGroups.output.parse(groups.data)
  expect(groupList.map(({ devCount }) => devCount)).toEqual([company.devices])
  const buildings = await server.call(
    endpoints.getVauser,
    { filter: [{ field: 'parentids', cond: 'regex', vrex: `^${project?.id}(,|$)` }] },
    tokens['ht-api'],
  )
  const { datalist } = endpoints.getVauser.output.parse(buildings.data)
  expect(datalist.flatMap(({ addrlist }) => addrlist)).toHaveLength(2_000)
  expect(datalist[0]?.addrlist[0]).toBe('1单元-101')
  const devices = await server.call(
    endpoints.getDevsFromPrjTree,
    { nodes: [String(project?.id)], kinds: ['room-sensor'], limiter: { page: 1, size: 10 } },
    tokens['ht-api'],
  )
  expect(endpoints.getDevsFromPrjTree.output.parse(devices.data).total).toBe(2_000)
})

test('a sub-account finds only what it is granted', async () => {
  const { 'ht-api': token } = await server.logIn('made.district', 'made')
  const { data } = await server.call(endpoints.searchTree, { text: '1单元', size: 100 }, token)
  const { datalist } = endpoints.searchTree.output.parse(data)
  expect(datalist.length).toBeGreaterThan(0)
  const granted = await sql<{ id: number }>`
    select node_id as id from account_node join account on account.id = account_id
    where account.account = 'made.district'`.execute(server.db)
  const [district] = granted.rows
  expect(datalist.every(({ chain }) => chain[2]?.node === String(district?.id))).toBe(true)
})

test('a tenant that already has a company is refused, and nothing is stored', async () => {
  const count = () =>
    server.db
      .selectFrom('node')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  const before = await count()
  await expect(seedCompany(server.db, { ...order, passwordHash })).rejects.toThrow(SeedRefused)
  expect(await count()).toEqual(before)
})

test('two companies of the same seed can exist at once', async () => {
  const twin = await seedCompany(server.db, { ...order, tenant: 'made2', passwordHash })
  expect(twin).toMatchObject({ nodes: company.nodes, devices: company.devices })
})
