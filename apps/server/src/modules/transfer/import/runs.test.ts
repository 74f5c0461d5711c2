import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { claim, LostRun, release } from '../runs/lease.pg.ts'
import type { Cells } from '../sheets/columns.ts'
import { createTestTransfers, type Rows, type TestTransfers } from '../transfer.testkit.ts'
import { runImport } from './run-import.ts'

let fixture: TestTransfers
let call: Call
let companyId: number

beforeAll(async () => {
  fixture = await createTestTransfers({ isWorking: false })
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  call = await fixture.callOf('staff')
  companyId = await fixture.addCompany('one')
})

afterAll(() => fixture.close())

const building = (name: string): Cells => ({
  project: '集团',
  company: '甲公司',
  building: name,
  areaM2: '900',
})
const buildings = (...names: readonly string[]): Rows => ({ structure: names.map(building) })

async function start(rows: Rows, into = companyId): Promise<number> {
  const { id, version } = await fixture.upload(call, rows)
  await fixture.service.start(call, { transferId: id, version, dryRun: false, companyId: into })
  return id
}

async function get(id: number) {
  const { datalist } = await fixture.service.list(call, {
    transferId: id,
    kind: 'registry',
    limiter: { page: 1, size: 1 },
  })
  const [transfer] = datalist
  if (!transfer) throw new Error(`there is no import ${id}`)
  return transfer
}

async function claimAs(worker: string) {
  const transfer = await claim(fixture.core.db, worker, 'registry')
  if (!transfer) throw new Error('nothing to do')
  return { transfer, worker }
}

const findAccess = (id: number) => fixture.core.session.findAccountAccess(id)

/** The stored buildings of the companies, and how many additions the log contains. */
async function readBuildings(of = companyId) {
  const { rows } = await sql<{ name: string; logged: number }>`
    select node.name, (
      select count(*) from operation_change where entity = 'node' and entity_id = node.id::text
        and action = 'added') as logged
    from node where company_id = ${of} and kind = 'sub-user' order by sort_path`.execute(fixture.core.db)
  return rows
}

/** Ends the lease of the dead worker. */
const expireLeases = () =>
  sql`update transfer set lease_until = now() where worker is not null`.execute(fixture.core.db)

test('T7 A replica that takes over an interrupted run stores the remaining rows, and no row twice', async () => {
  const rows = buildings('1号楼', '2号楼', '3号楼')
  for (let batches = 1; batches <= 4; batches += 1) {
    const into = await fixture.addCompany(`killed-${batches}`)
    const id = await start(rows, into)
    const claimed = await claimAs('dead')
    let left = batches
    const onBatch = async () => {
      left -= 1
      if (left === 0) throw new Error('killed')
    }
    await expect(
      runImport({ db: fixture.core.db, irrigation: fixture.irrigation, findAccess }, { ...claimed, onBatch }),
    ).rejects.toThrow('killed')
    expect(await claim(fixture.core.db, 'early', 'registry')).toBeUndefined()
    await expireLeases()
    const successor = await claimAs('successor')
    await runImport(
      { db: fixture.core.db, irrigation: fixture.irrigation, findAccess },
      { ...successor, onBatch: async () => undefined },
    )
    expect(await get(id)).toMatchObject({ state: 'done', added: 3, failed: 0, done: 3, total: 3 })
    expect(await readBuildings(into)).toEqual([
      { name: '1号楼', logged: 1 },
      { name: '2号楼', logged: 1 },
      { name: '3号楼', logged: 1 },
    ])
  }
})

test('T6 A batch is stored completely or not at all: a worker that lost the run stores nothing more', async () => {
  const into = await fixture.addCompany('lost')
  const id = await start(buildings('1号楼'), into)
  const claimed = await claimAs('slow')
  const onBatch = async () => {
    await expireLeases()
    await claim(fixture.core.db, 'other', 'registry')
  }
  await expect(
    runImport({ db: fixture.core.db, irrigation: fixture.irrigation, findAccess }, { ...claimed, onBatch }),
  ).rejects.toThrow(LostRun)
  expect(await readBuildings(into)).toEqual([])
  await expireLeases()
  await runImport(
    { db: fixture.core.db, irrigation: fixture.irrigation, findAccess },
    {
      ...(await claimAs('successor')),
      onBatch: async () => undefined,
    },
  )
  expect((await get(id)).state).toBe('done')
})

test('T8 Two imports into one company run one after the other; one into another company does not wait', async () => {
  const other = await fixture.addCompany('other')
  const [first, second, third] = [
    await start(buildings('8号楼')),
    await start(buildings('9号楼')),
    await start(buildings('9号楼'), other),
  ]
  const { db } = fixture.core
  expect((await claim(db, 'a', 'registry'))?.id).toBe(first)
  expect((await claim(db, 'b', 'registry'))?.id).toBe(third)
  expect(await claim(db, 'c', 'registry')).toBeUndefined()
  await release(db, first, 'a', 0)
  expect((await claim(db, 'c', 'registry'))?.id).toBe(first)
  await fixture.service.cancel(call, { transferId: first, version: (await get(first)).version })
  expect((await claim(db, 'd', 'registry'))?.id).toBe(second)
  for (const id of [second, third]) {
    await fixture.service.cancel(call, { transferId: id, version: (await get(id)).version })
  }
})

test('a cancelled import stores nothing more, and stored rows stay', async () => {
  const into = await fixture.addCompany('cancelled')
  const id = await start(buildings('1号楼'), into)
  const claimed = await claimAs('worker')
  let batches = 0
  const onBatch = async () => {
    batches += 1
    if (batches === 3) {
      await fixture.service.cancel(call, { transferId: id, version: (await get(id)).version })
    }
  }
  await expect(
    runImport({ db: fixture.core.db, irrigation: fixture.irrigation, findAccess }, { ...claimed, onBatch }),
  ).rejects.toThrow(LostRun)
  expect(await get(id)).toMatchObject({ state: 'cancelled', abilities: [] })
  expect(await readBuildings(into)).toEqual([])
  const { rows } = await sql`select name from node where company_id = ${into}`.execute(fixture.core.db)
  expect(rows).toEqual([{ name: '集团' }])
})

test('only the row in conflict with a change since the check fails', async () => {
  const into = await fixture.addCompany('busy')
  const rows: Rows = {
    structure: [building('1号楼'), building('2号楼')],
    devices: ['D1', 'D2', 'D3'].map((serial, index) => ({
      serial,
      kind: '热量表',
      name: serial,
      model: 'T',
      periodS: '60',
      meterNo: `000${index}`,
      place: '集团,甲公司,1号楼',
    })),
  }
  const id = await start(rows, into)
  const claimed = await claimAs('worker')
  let isStored = false
  async function onBatch() {
    const { rows: found } = await sql<{ id: number }>`
      select id from node where company_id = ${into} and kind = 'sub-user' order by id limit 1`.execute(
      fixture.core.db,
    )
    const [node] = found
    if (isStored || !node) return
    isStored = true
    await sql`insert into device_model (kind, name) values ('heat-meter', 'T') on conflict do nothing`.execute(
      fixture.core.db,
    )
    await sql`
      insert into device (company_id, serial, kind, name, model, node_id, period_s, meter_no)
      values (${into}, 'X', 'heat-meter', 'X', 'T', ${node.id}, 60, '0001')`.execute(fixture.core.db)
  }
  await runImport(
    { db: fixture.core.db, irrigation: fixture.irrigation, findAccess },
    { ...claimed, onBatch },
  )
  expect(await get(id)).toMatchObject({ state: 'done', added: 4, failed: 1, done: 5 })
  expect(await fixture.verdictsOf(call, id)).toEqual([
    'added',
    'added',
    'added',
    'failed: 与刚刚的其他修改冲突，请重新导入',
    'added',
  ])
})

test('an import fails if its account is disabled meanwhile', async () => {
  await fixture.core.createAccount('leaving', permissions, [], 'provider')
  const leaving = await fixture.callOf('leaving')
  const { id, version } = await fixture.upload(leaving, buildings('1号楼'))
  await fixture.service.start(leaving, { transferId: id, version, dryRun: false, companyId })
  await fixture.core.db
    .updateTable('account')
    .set({ enabled: false })
    .where('account', '=', 'leaving')
    .execute()
  fixture.startWorker()
  const { fault } = await fixture.waitFor(leaving, id, 'failed')
  expect(fault).toBeDefined()
  expect(await readBuildings()).toEqual([])
})

test('an action that the state of an import does not allow is refused', async () => {
  const { id, version } = await fixture.upload(call, buildings('1号楼'))
  const cancelled = await fixture.service.cancel(call, { transferId: id, version })
  const again = { transferId: id, version: cancelled.version }
  await expect(fixture.service.cancel(call, again)).rejects.toMatchObject({ code: 'transfer.not-now' })
  await expect(fixture.service.start(call, { ...again, dryRun: true, companyId })).rejects.toMatchObject({
    code: 'transfer.not-now',
  })
  await expect(fixture.service.cancel(call, { transferId: id, version })).rejects.toMatchObject({
    code: 'entity.stale',
  })
})
