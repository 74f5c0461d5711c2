import { permissions } from '@isotherm/contract/access/permissions'
import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FROM_FILES, type ReadingKey, toKeyText } from '../../telemetry/index.ts'
import { storeFile } from '../runs/file-store.pg.ts'
import { claim } from '../runs/lease.pg.ts'
import * as transfers from '../runs/transfers.pg.ts'
import { createTestTransfers, type TestTransfers } from '../transfer.testkit.ts'
import { runReadings } from './run-readings.ts'

let fixture: TestTransfers

beforeAll(async () => {
  fixture = await createTestTransfers({ isWorking: false })
  await fixture.core.createAccount('keeper', permissions, ['p'])
})
afterAll(() => fixture.close())

const mapping: ReadingMapping = {
  encoding: 'utf-8',
  delimiter: ',',
  headingRow: 1,
  headings: [],
  device: { column: 0, by: 'serial' },
  time: { column: 1, order: 'ymd' },
  timeZone: 'UTC',
  form: 'wide',
  values: [{ column: 2, metric: 'temp.room', unit: '°C' }],
  isEstimated: false,
}

/** A store in memory that fails once before and once after a batch is stored. */
function createFiles() {
  const stored = new Map<string, { value: number; gatewayId: number; boot: number }>()
  const failures = new Set(['before 2', 'after 4'])
  let twice = 0
  const failOnce = (at: string): void => {
    if (failures.delete(at)) throw new Error(`failed ${at}`)
  }
  return {
    stored,
    twice: () => twice,
    files: {
      findBadInstant: () => undefined,
      findStored: async (keys: readonly ReadingKey[]) =>
        new Map(
          keys.flatMap((key) => {
            const found = stored.get(toKeyText(key))
            return found ? [[toKeyText(key), found] as const] : []
          }),
        ),
      async store({
        importId,
        batch,
        samples,
      }: Parameters<Parameters<typeof runReadings>[0]['files']['store']>[0]) {
        failOnce(`before ${batch}`)
        for (const { device, ts, values } of samples)
          for (const { metric, value } of values) {
            const key = toKeyText({ deviceId: device.id, metric, ts })
            twice += Number(stored.has(key))
            stored.set(key, { value, gatewayId: FROM_FILES, boot: importId })
          }
        failOnce(`after ${batch}`)
      },
    },
  }
}

test('an interrupted import continues after its last batch, stores every reading once and counts each once', async () => {
  const { core } = fixture
  const call = await fixture.callOf('keeper')
  const { accountId, companyId = 0 } = call.caller
  const rows = Array.from(
    { length: 9_000 },
    (_, index) =>
      `R-b2u1,${new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString()},${20 + (index % 7) / 10}`,
  )
  const bytes = Buffer.from(['device,time,room', ...rows].join('\n'))
  const id = await transfers.addReadingsUpload(core.db, {
    accountId,
    fileName: 'r.csv',
    now: core.clock.now(),
  })
  await storeFile(
    core.db,
    id,
    (async function* () {
      yield bytes
    })(),
  )
  await transfers.endUpload(core.db, id, bytes.length)
  await transfers.startRun(core.db, id, { companyId, dryRun: false, mapping })
  const { files, stored, twice } = createFiles()
  const needs = {
    db: core.db,
    clock: core.clock,
    findAccess: core.session.findAccountAccess,
    directory: core.devices.directory,
    files,
  }
  const failures: string[] = []
  for (const worker of ['one', 'two', 'three']) {
    const transfer = await claim(core.db, worker, 'readings')
    if (!transfer) throw new Error('nothing to claim')
    await runReadings(needs, { transfer, worker, onBatch: async () => undefined }).catch((error: unknown) =>
      failures.push(String(error)),
    )
    // The lease of a worker that failed ends.
    await sql`update transfer set lease_until = now() - interval '1 second' where worker is not null`.execute(
      core.db,
    )
  }
  expect(failures).toEqual(['Error: failed before 2', 'Error: failed after 4'])
  expect([stored.size, twice()]).toEqual([9_000, 0])
  const { state, added, unchanged, failed, done } = await transfers.getTransfer(core.db, id)
  expect({ state, added, unchanged, failed, done }).toEqual({
    state: 'done',
    added: 9_000,
    unchanged: 0,
    failed: 0,
    done: 9_000,
  })
  const { rows: left } = await sql`select from transfer_file where transfer_id = ${id}`.execute(core.db)
  expect(left).toEqual([])
})

test('a part of an upload that another one has replaced is refused', async () => {
  const { db, clock } = fixture.core
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('account', '=', 'keeper')
    .executeTakeFirstOrThrow()
  const now = clock.now()
  const first = await transfers.addReadingsUpload(db, { accountId, fileName: '甲.csv', now })
  await transfers.addReadingsUpload(db, { accountId, fileName: '乙.csv', now })
  const late = storeFile(
    db,
    first,
    (async function* () {
      yield Buffer.from('a')
    })(),
  )
  await expect(late).rejects.toMatchObject({ code: 'transfer.not-found' })
})
