import { permissions } from '@isotherm/contract/access/permissions'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { createLog } from '../../../platform/log.ts'
import { claim, LostRun } from '../runs/lease.pg.ts'
import {
  createTestTransfers,
  createWorkbook,
  joinBytes,
  type Rows,
  type TestTransfers,
} from '../transfer.testkit.ts'
import { runImport } from './run-import.ts'
import { createRunner } from './runner.ts'

let fixture: TestTransfers
let call: Call

beforeAll(async () => {
  fixture = await createTestTransfers({ isWorking: false })
  await fixture.core.createAccount('staff', permissions, [], 'provider')
  call = await fixture.callOf('staff')
})
afterAll(() => fixture.close())

const rows: Rows = { structure: [{ project: '集团', company: '甲公司', building: '1号楼' }] }
const findAccess = (id: number) => fixture.core.session.findAccountAccess(id)

async function start(tenant: string): Promise<number> {
  const companyId = await fixture.addCompany(tenant)
  const { id, version } = await fixture.upload(call, rows)
  await fixture.service.start(call, { transferId: id, version, dryRun: false, companyId })
  return id
}

async function claimAs(worker: string) {
  const transfer = await claim(fixture.core.db, worker, 'registry')
  if (!transfer) throw new Error('nothing to do')
  return { transfer, worker, onBatch: async () => undefined }
}

const listUploads = async () => {
  const found = fixture.core.db.selectFrom('transfer').select('file_name as name')
  return (await found.where('state', '=', 'uploading').execute()).map(({ name }) => name)
}

test('a worker that lost a run before its start does not clear the rows of the next worker', async () => {
  const id = await start('lost')
  const slow = await claimAs('slow')
  await sql`update transfer set lease_until = now() where id = ${id}`.execute(fixture.core.db)
  await runImport(
    { db: fixture.core.db, irrigation: fixture.irrigation, findAccess },
    await claimAs('successor'),
  )
  expect(await fixture.verdictsOf(call, id)).toEqual(['added'])
  await expect(
    runImport({ db: fixture.core.db, irrigation: fixture.irrigation, findAccess }, slow),
  ).rejects.toThrow(LostRun)
  expect(await fixture.verdictsOf(call, id)).toEqual(['added'])
})

test('a server that stops during an import does not count as a failed attempt', async () => {
  const id = await start('closing')
  for (let closes = 1; closes <= 3; closes += 1) {
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const runner = createRunner({
      ...fixture.core,
      kind: 'registry',
      log: createLog({ logLevel: 'silent' }),
      async work(run) {
        started.resolve()
        await goOn.promise
        await run.onBatch()
      },
    })
    fixture.core.clock.advance(0)
    await started.promise
    const closed = runner.close()
    goOn.resolve()
    await closed
    const found = fixture.core.db.selectFrom('transfer').select(['state', 'attempts']).where('id', '=', id)
    expect(await found.executeTakeFirst()).toEqual({ state: 'checking', attempts: 0 })
  }
  await runImport({ db: fixture.core.db, irrigation: fixture.irrigation, findAccess }, await claimAs('last'))
  expect(await fixture.verdictsOf(call, id)).toEqual(['added'])
})

test('an account uploads one file at a time, and the next after that one is complete', async () => {
  const bytes = await joinBytes(createWorkbook(rows))
  const goOn = Promise.withResolvers<void>()
  async function* slowly() {
    yield bytes.subarray(0, 100)
    await goOn.promise
    yield bytes.subarray(100)
  }
  const first = fixture.service.upload(await fixture.callOf('staff'), '一.xlsx', slowly())
  await expect.poll(() => listUploads()).toEqual(['一.xlsx'])
  await expect(fixture.upload(call, rows)).rejects.toMatchObject({ code: 'transfer.uploading' })
  await fixture.core.createAccount('colleague', permissions, [], 'provider')
  expect((await fixture.upload(await fixture.callOf('colleague'), rows)).state).toBe('uploaded')
  goOn.resolve()
  expect((await first).state).toBe('uploaded')
  expect((await fixture.upload(call, rows)).state).toBe('uploaded')
})

test('an upload interrupted by a killed server blocks further uploads for at most three minutes', async () => {
  const { id: account_id } = await fixture.core.db
    .selectFrom('account')
    .select('id')
    .where('account', '=', 'staff')
    .executeTakeFirstOrThrow()
  const leave = (created_at: Date) =>
    sql`
      insert into transfer (account_id, file_name, state, created_at)
      values (${account_id}, '断.xlsx', 'uploading', ${created_at})`.execute(fixture.core.db)
  await leave(new Date(fixture.core.clock.now()))
  await expect(fixture.upload(call, rows)).rejects.toMatchObject({ code: 'transfer.uploading' })
  fixture.core.clock.advance(180_001)
  expect((await fixture.upload(call, rows)).state).toBe('uploaded')
  // It is removed without another upload.
  await leave(new Date(fixture.core.clock.now() - 180_001))
  await sql`
    insert into transfer (account_id, file_name, state, created_at)
    values (${account_id}, '旧.xlsx', 'uploaded', ${new Date(fixture.core.clock.now() - 8 * DAY_MS)})`.execute(
    fixture.core.db,
  )
  fixture.startWorker()
  await vi.waitFor(
    async () => {
      const { rows: left } = await sql`
      select from transfer where file_name in ('断.xlsx', '旧.xlsx')`.execute(fixture.core.db)
      expect(left).toHaveLength(0)
    },
    { timeout: 30_000 },
  )
})
