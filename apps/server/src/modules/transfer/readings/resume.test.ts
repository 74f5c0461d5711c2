import { Readable } from 'node:stream'
import { permissions } from '@isotherm/contract/access/permissions'
import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileReadings, FROM_FILES, type ReadingKey, toKeyText } from '../../telemetry/index.ts'
import { openStoredFile, PART_BYTES, storeFile } from '../runs/file-store.pg.ts'
import { claim, LostRun } from '../runs/lease.pg.ts'
import * as transfers from '../runs/transfers.pg.ts'
import { createTestTransfers, type TestTransfers } from '../transfer.testkit.ts'
import { toFailedReadings } from './failed-readings.ts'
import { readFailed } from './reading-progress.pg.ts'
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

/** An error of a store that restarts. */
const refuse = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** A store in memory that fails once before and once after a batch is stored, and cannot be reached for two queries. */
function createFiles() {
  const stored = new Map<string, { value: number; gatewayId: number; boot: number }>()
  const failures = new Set(['before 2', 'after 4'])
  let twice = 0
  let queries = 0
  const failOnce = (at: string): void => {
    if (failures.delete(at)) throw new Error(`failed ${at}`)
  }
  return {
    stored,
    twice: () => twice,
    files: {
      findBadInstant: () => undefined,
      async findStored(keys: readonly ReadingKey[]) {
        queries += 1
        if (queries === 3 || queries === 4) throw refuse()
        return new Map(
          keys.flatMap((key) => {
            const found = stored.get(toKeyText(key))
            return found ? [[toKeyText(key), found] as const] : []
          }),
        )
      },
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

/** Uploads a file of readings and starts its import. */
async function startImport(text: string, format: Partial<ReadingMapping> = {}): Promise<number> {
  const { core } = fixture
  const { accountId, companyId = 0 } = (await fixture.callOf('keeper')).caller
  const bytes = Buffer.from(text)
  const now = core.clock.now()
  const id = await transfers.addReadingsUpload(core.db, { accountId, fileName: 'r.csv', now })
  async function* pieces() {
    yield bytes
  }
  await storeFile(core.db, id, pieces())
  await transfers.endUpload(core.db, id, bytes.length)
  await transfers.startRun(core.db, id, {
    companyId,
    dryRun: false,
    mapping: { ...mapping, ...format },
  })
  return id
}

/** Runs the next import as a worker. `pause`: what happens while it waits for the store. */
async function runAs(
  worker: string,
  files: FileReadings,
  pause: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { core } = fixture
  const transfer = await claim(core.db, worker, 'readings')
  if (!transfer) throw new Error('nothing to claim')
  const clock = {
    setTimeout(task: () => void) {
      void pause().then(task)
      return { cancel: () => undefined }
    },
  }
  const needs = {
    db: core.db,
    clock,
    findAccess: core.session.findAccountAccess,
    directory: core.devices.directory,
    files,
  }
  await runReadings(needs, { transfer, worker, onBatch: async () => undefined })
}

async function toList<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

test('an interrupted import continues after its last batch, stores every reading once and counts each once', async () => {
  const { core } = fixture
  const rows = Array.from(
    { length: 9_000 },
    (_, index) =>
      `R-b2u1,${new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString()},${20 + (index % 7) / 10}`,
  )
  const id = await startImport(['device,time,room', ...rows].join('\n'))
  const { files, stored, twice } = createFiles()
  const failures: string[] = []
  for (const worker of ['one', 'two', 'three']) {
    await runAs(worker, files).catch((error: unknown) => failures.push(String(error)))
    // The lease of a worker that failed ends.
    await sql`update transfer set lease_until = now() - interval '1 second' where worker is not null`.execute(
      core.db,
    )
  }
  expect(failures).toEqual(['Error: failed before 2', 'Error: failed after 4'])
  expect([stored.size, twice()]).toEqual([9_000, 0])
  const { state, added, unchanged, failed, done, attempts } = await transfers.getTransfer(core.db, id)
  expect({ state, added, unchanged, failed, done, attempts }).toEqual({
    state: 'done',
    added: 9_000,
    unchanged: 0,
    failed: 0,
    done: 9_000,
    // Attempts are those of one batch.
    attempts: 0,
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
  // The same if it was replaced right after its bytes were stored.
  await expect(transfers.getTransfer(db, first)).rejects.toMatchObject({ code: 'transfer.not-found' })
})

test('an import that is cancelled while it waits for the store ends', async () => {
  const { core } = fixture
  const id = await startImport('device,time,room\nR-b2u1,2026-01-02 08:00,20')
  const files: FileReadings = { ...createFiles().files, findStored: () => Promise.reject(refuse()) }
  await expect(runAs('one', files, () => transfers.cancel(core.db, id))).rejects.toThrow(LostRun)
})

test('a batch of long rows ends after 4,000,000 characters, and a failed row is stored with shortened cells', async () => {
  const { core } = fixture
  const note = 'x'.repeat(1_000)
  const row = (device: string, minute: number) =>
    `${device},${new Date(Date.UTC(2026, 0, 2) + minute * 60_000).toISOString()},20${`,${note}`.repeat(190)}`
  const rows = Array.from({ length: 30 }, (_, index) => row(index === 0 ? 'NOBODY' : 'R-b2u1', index))
  const id = await startImport(['device,time,room', ...rows].join('\n'))
  const batches: (readonly [number, number])[] = []
  const { files } = createFiles()
  await runAs('one', {
    ...files,
    findStored: async () => new Map(),
    store: async ({ batch, samples }) => void batches.push([batch, samples.length]),
  })
  expect(batches).toEqual([
    [1, 21],
    [2, 8],
  ])
  const failed = await toList(readFailed(core.db, id))
  expect(failed.map(({ row, cells }) => [row, cells.length, cells[2], cells[3]])).toEqual([
    [2, 193, '20', 'x'.repeat(200)],
  ])
})

test('a late part takes nothing back, and a file that is not complete is refused', async () => {
  const { core } = fixture
  const { accountId } = (await fixture.callOf('keeper')).caller
  const now = core.clock.now()
  const id = await transfers.addReadingsUpload(core.db, { accountId, fileName: 'r.csv', now })
  const send = (length: number, from: number) =>
    storeFile(core.db, id, Readable.from([Buffer.alloc(length, 'x')]), from)
  const readSize = async () => (await transfers.getTransfer(core.db, id)).sizeBytes
  await send(PART_BYTES, 0)
  await transfers.continueUpload(core.db, id, PART_BYTES, now)
  // The first part is sent again, and only its start arrives.
  await send(5, 0)
  await transfers.continueUpload(core.db, id, 5, now)
  expect(await readSize()).toBe(PART_BYTES)
  const read = (size: number) => openStoredFile(core.db, id, size).read(0, size)
  await expect(read(PART_BYTES)).rejects.toThrow('not complete: part 0')
  await send(PART_BYTES, 0)
  await expect(read(PART_BYTES + 1)).rejects.toThrow('not complete: part 1')
  await send(1, PART_BYTES)
  await transfers.endUpload(core.db, id, PART_BYTES + 1)
  await transfers.continueUpload(core.db, id, 3 * PART_BYTES, now)
  expect(await readSize()).toBe(PART_BYTES + 1)
  expect(await read(PART_BYTES + 1)).toHaveLength(PART_BYTES + 1)
})

test('the file of failed rows has a decimal point where the file had a comma', async () => {
  const { core } = fixture
  const headings = ['device', 'time', 'room']
  const text = `${headings.join(';')}\nNOBODY;2026-01-02 08:00;1,234`
  const id = await startImport(text, { delimiter: ';', headings })
  await runAs('one', createFiles().files)
  const { rows } = await toFailedReadings(core.db, await transfers.getTransfer(core.db, id), 'en')
  const [, failed] = await toList(rows)
  expect(failed?.slice(0, 3)).toEqual(['NOBODY', '2026-01-02 08:00', '1.234'])
})
