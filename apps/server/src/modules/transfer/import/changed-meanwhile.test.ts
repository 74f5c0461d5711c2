import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim } from '../runs/lease.pg.ts'
import { createTestTransfers, type Rows, type TestTransfers } from '../transfer.testkit.ts'
import { runImport } from './run-import.ts'

let fixture: TestTransfers
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers({ isWorking: false })
  await fixture.core.createAccount('boss', permissions, ['s2'])
  await fixture.core.createAccount('second', permissions, ['s2'])
  await sql`
    update account set parent_id = (select id from account where account = 'boss')
    where account = 'second'`.execute(fixture.core.db)
  const row = await fixture.core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  companyId = row.id
})

afterAll(() => fixture.close())

/** Imports rows and runs `meanwhile` between the check and the first batch, or after so many batches. Returns the verdicts. */
async function importWhile(rows: Rows, meanwhile: () => Promise<unknown>, after: number = 0) {
  const call = await fixture.callOf('second')
  const { id, version } = await fixture.upload(call, rows)
  await fixture.service.start(call, { transferId: id, version, dryRun: false, companyId })
  const { db, session } = fixture.core
  const transfer = await claim(db, 'worker', 'registry')
  if (!transfer) throw new Error('nothing to do')
  let isDone = false
  let batches = 0
  async function onBatch() {
    const { datalist } = await fixture.service.list(call, {
      transferId: id,
      kind: 'registry',
      limiter: { page: 1, size: 1 },
    })
    if (isDone || datalist[0]?.state !== 'importing') return
    if (batches++ < after) return
    isDone = true
    await meanwhile()
  }
  const needs = { db, irrigation: fixture.irrigation, findAccess: session.findAccountAccess }
  await runImport(needs, {
    transfer,
    worker: 'worker',
    onBatch,
  })
  expect(isDone).toBe(true)
  return fixture.verdictsOf(call, id)
}

const readNames = async (...serials: readonly string[]) => {
  const { rows } = await sql<{ name: string }>`
    select name from device where serial = any(${[...serials]}::text[]) order by serial`.execute(
    fixture.core.db,
  )
  return rows.map(({ name }) => name)
}

const conflict = 'failed: 与刚刚的其他修改冲突，请重新导入'
const PLACE = '集团,公司,二号站,西区'
const renamed = (serial: string) => ({ serial, kind: '阀门', name: '改名' })

test('a device changed or no longer granted since the check stays unchanged', async () => {
  const { db, nodeId } = fixture.core
  const b2 = await nodeId('b2')
  const added = { kind: '阀门', name: '新', model: 'T1', place: PLACE, periodS: '60' }
  const devices = [renamed('V-b3u1'), renamed('V-b3u2'), renamed('C-b3'), { ...added, serial: 'V-new' }]
  const rows = { devices: devices.map((row) => (row.serial === 'C-b3' ? { ...row, kind: '集中器' } : row)) }
  const verdicts = await importWhile(rows, async () => {
    await sql`update device set node_id = ${b2}, name = '走了' where serial = 'V-b3u1'`.execute(db)
    await sql`update device set name = '别人的' where serial = 'V-b3u2'`.execute(db)
    await sql`
      insert into device (company_id, serial, kind, name, model, node_id, period_s)
      select company_id, 'V-new', kind, '先到', model, ${b2}, period_s from device
      where serial = 'V-b3u1'`.execute(db)
  })
  expect(verdicts).toEqual([conflict, conflict, 'changed', conflict])
  expect(await readNames('C-b3', 'V-b3u1', 'V-b3u2', 'V-new')).toEqual(['改名', '走了', '别人的', '先到'])
})

test('a subdivision or place on the map that was set, changed or removed since the check stays unchanged', async () => {
  const { db, nodeId } = fixture.core
  const [s2, a2, b3] = [await nodeId('s2'), await nodeId('a2'), await nodeId('b3')]
  await sql`
    insert into node_gis (node_id, longitude_deg, latitude_deg) values (${s2}, 1, 1), (${b3}, 3, 3)`.execute(
    db,
  )
  await sql`insert into subdivision (node_id, stype) values (${s2}, 'a') on conflict do nothing`.execute(db)
  const station = { project: '集团', company: '公司', station: '二号站' }
  const area = { ...station, residentialArea: '西区' }
  const rows = {
    structure: [
      { ...station, stype: 'z' },
      { ...area, longitudeDeg: '120', latitudeDeg: '30' },
      { ...area, building: '三号楼', longitudeDeg: '121', latitudeDeg: '31' },
    ],
  }
  const verdicts = await importWhile(rows, async () => {
    await sql`update subdivision set stype = 'b' where node_id = ${s2}`.execute(db)
    await sql`insert into node_gis (node_id, longitude_deg, latitude_deg) values (${a2}, 2, 2)`.execute(db)
    await sql`delete from node_gis where node_id = ${b3}`.execute(db)
  })
  expect(verdicts).toEqual([conflict, conflict, conflict])
  const { rows: places } = await sql`
    select node_id as id, longitude_deg as at from node_gis where node_id in (${a2}, ${b3})`.execute(db)
  expect(places).toEqual([{ id: a2, at: 2 }])
  const { rows: marks } = await sql`select stype from subdivision where node_id = ${s2}`.execute(db)
  expect(marks).toEqual([{ stype: 'b' }])
})

test('an edit of values that the row does not give is no conflict', async () => {
  const { db, nodeId } = fixture.core
  const s2 = await nodeId('s2')
  const station = { project: '集团', company: '公司', station: '二号站', description: '导入的' }
  const verdicts = await importWhile({ structure: [station] }, () =>
    sql`update subdivision set stype = 'c' where node_id = ${s2}`.execute(db),
  )
  expect(verdicts).toEqual(['changed'])
})

test('a right that is withdrawn after a batch no longer counts for the next one', async () => {
  const { db } = fixture.core
  const at = { place: '集团,公司,二号站', source: '泵房' }
  const rows = {
    'irrigation-sources': [{ ...at, capacityM3H: '5' }],
    'irrigation-groups': [{ ...at, group: '组', valves: 'V-b3u2:2:600' }],
  }
  const role = await db.selectFrom('role').select('id').where('key', '=', 'second').executeTakeFirstOrThrow()
  const right = { role_id: role.id, permission: 'pe-fmcontrol' as const }
  const withdraw = () =>
    db
      .deleteFrom('role_permission')
      .where('role_id', '=', right.role_id)
      .where('permission', '=', right.permission)
      .execute()
  const verdicts = await importWhile(rows, withdraw, 1)
  await db.insertInto('role_permission').values(right).execute()
  await db.deleteFrom('irrigation_source').execute()
  expect(verdicts).toEqual(['added', expect.stringContaining('可能是供热阀门')])
})

test('nothing is stored for a node, or below one, that is no longer granted since the check', async () => {
  const { db, nodeId } = fixture.core
  const [s1, s2] = [await nodeId('s1'), await nodeId('s2')]
  const building = { project: '集团', company: '公司', station: '二号站', residentialArea: '西区' }
  const rows = {
    structure: [
      { ...building, description: '改了' },
      { ...building, building: '新楼' },
    ],
    devices: [{ serial: 'V-x', kind: '阀门', name: '新', model: 'T1', place: PLACE, periodS: '60' }],
  }
  const readArea = () =>
    sql<{ description: string; below: number }>`
      select node.description, (select count(*) from node below where below.parent_id = node.id) as below
      from node where node.name = '西区'`.execute(db)
  const before = await readArea()
  const move = (from: number, to: number) =>
    sql`
      update node set path = moved.path || substr(node.path, length(old.path) + 1)
      from node old, node moved
      where old.id = ${from} and moved.id = ${to} and node.path like old.path || '_%'`.execute(db)
  const verdicts = await importWhile(rows, () => move(s2, s1))
  expect(verdicts).toEqual([conflict, conflict, conflict])
  expect((await readArea()).rows).toEqual(before.rows)
  expect(await readNames('V-x')).toEqual([])
})

test('a node changed since the check keeps its new values', async () => {
  const { db, nodeId } = fixture.core
  const s2 = await nodeId('s2')
  const rows = { structure: [{ project: '集团', company: '公司', station: '二号站', description: '改了' }] }
  const verdicts = await importWhile(rows, () =>
    sql`update node set description = '别人的' where id = ${s2}`.execute(db),
  )
  expect(verdicts).toEqual([conflict])
  const { rows: found } = await sql`select description from node where id = ${s2}`.execute(db)
  expect(found).toEqual([{ description: '别人的' }])
})

test('an imported project is granted to the account and its parent accounts', async () => {
  const rows = {
    structure: [{ project: '新集团', company: '甲公司', building: '1号楼' }],
    devices: [
      {
        serial: 'V-y',
        kind: '阀门',
        name: '新',
        model: 'T1',
        periodS: '60',
        place: '新集团,甲公司,1号楼',
      },
    ],
  }
  expect(await importWhile(rows, async () => undefined)).toEqual(['added', 'added'])
  const { rows: granted } = await sql`
    select account.account from account_node join account on account.id = account_node.account_id
    join node on node.id = account_node.node_id where node.name = '新集团' order by 1`.execute(
    fixture.core.db,
  )
  expect(granted).toEqual([{ account: 'boss' }, { account: 'second' }])
})

test('a source of irrigation that was changed or added since the check is left as it is', async () => {
  const place = '集团,公司,二号站'
  const nodeId = await fixture.core.nodeId('s2')
  const settings = { name: '旧泵房', capacityM3H: 5, leadS: 0, groupDelayS: 0, afterOutage: 'resume' }
  const addSource = (name: string) =>
    sql`
    insert into irrigation_source (node_id, settings, planned_ms)
    values (${nodeId}, ${JSON.stringify({ ...settings, name })}::jsonb, 0)`.execute(fixture.core.db)
  await addSource('旧泵房')
  const rows = ['旧泵房', '新泵房', '另一泵房'].map((source) => ({ place, source, capacityM3H: '9' }))
  const conflict = 'failed: 与刚刚的其他修改冲突，请重新导入'
  const verdicts = await importWhile({ 'irrigation-sources': rows }, async () => {
    await sql`
      update irrigation_source set settings = settings || '{"capacityM3H": 7}' where settings->>'name' = '旧泵房'`.execute(
      fixture.core.db,
    )
    await addSource('新泵房')
  })
  expect(verdicts).toEqual([conflict, conflict, 'added'])
  const { rows: stored } = await sql<{ capacity: number }>`
    select (settings->'capacityM3H')::float8 as capacity from irrigation_source order by id`.execute(
    fixture.core.db,
  )
  expect(stored.map(({ capacity }) => capacity)).toEqual([7, 5, 9])
})
