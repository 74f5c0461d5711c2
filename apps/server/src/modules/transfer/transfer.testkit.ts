import { type Transfer, type TransferSheet, transferSheet } from '@isotherm/contract/transfer'
import { vi } from 'vitest'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import type { Call } from '../../platform/http/call.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import { toSystemOperation } from '../../platform/operation/operation.ts'
import { openWorkbook } from '../../platform/spreadsheet/workbook-reader.ts'
import { type Cell, type Sheet, toWorkbook } from '../../platform/spreadsheet/workbook-writer.ts'
import { createTestCore, type TestCore, type TestCoreOptions } from '../../testing/core.testkit.ts'
import { createSettingsWriter, irrigationModule, type SettingsWriter } from '../irrigation/index.ts'
import type { FileReadings } from '../telemetry/index.ts'
import { createTransfers } from './index.ts'
import { transferMigrations } from './runs/migrations.pg.ts'
import { createTransferService, type TransferService } from './service.ts'
import { type Cells, type Column, columns } from './sheets/columns.ts'
import { texts } from './sheets/texts.ts'

/** The store of readings in tests that import none. */
export const noFiles: FileReadings = {
  findStored: async () => new Map(),
  findBadInstant: () => undefined,
  store: () => Promise.reject(new Error('no readings are imported')),
}

/** Rows of a workbook by sheet. */
export type Rows = Readonly<Partial<Record<TransferSheet, readonly Cells[]>>>

/** All bytes of a file. */
export async function joinBytes(bytes: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A workbook with Chinese headings and a sheet for each kind of rows given. */
export function createWorkbook(rows: Rows): AsyncGenerator<Buffer> {
  const { sheets, headings } = texts.zh
  const named = transferSheet.options.flatMap((sheet): Sheet[] => {
    const given = rows[sheet]
    if (!given) return []
    const all: readonly Column[] = columns[sheet]
    const cells = given.map((row): Cell[] => all.map((column) => row[column]))
    return [{ name: sheets[sheet], widths: [], rows: [all.map((column) => headings[column]), ...cells] }]
  })
  return toWorkbook(named)
}

/** The texts of all rows of each sheet, headings first. */
export async function readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
): Promise<Readonly<Record<string, readonly (readonly string[])[]>>> {
  const whole = await joinBytes(bytes)
  const { sheets, readRows } = await openWorkbook({
    size: whole.length,
    read: async (start, length) => whole.subarray(start, start + length),
  })
  const all: Record<string, string[][]> = {}
  for (const sheet of sheets) {
    const rows: string[][] = []
    for await (const { cells } of readRows(sheet)) {
      const width = Math.max(...cells.keys()) + 1
      rows.push(Array.from({ length: width }, (_, column) => cells.get(column) ?? ''))
    }
    all[sheet] = rows
  }
  return all
}

export interface TestTransfers {
  readonly core: TestCore
  readonly service: TransferService
  readonly irrigation: SettingsWriter
  /** Starts the import worker of another server on the same database. */
  startWorker(): ReturnType<typeof createTransfers>
  /** A call of an existing account. */
  callOf(account: string, language?: Call['language']): Promise<Call>
  /** Adds an empty company. */
  addCompany(tenant: string): Promise<number>
  upload(call: Call, rows: Rows): Promise<Transfer>
  /** Uploads rows, checks or imports them, and waits for the end. */
  run(call: Call, companyId: number, rows: Rows, dryRun?: boolean): Promise<Transfer>
  waitFor(call: Call, id: number, state: Transfer['state']): Promise<Transfer>
  /** The verdicts of all rows, with reasons: `失败: …`. */
  verdictsOf(call: Call, id: number): Promise<readonly string[]>
  close(): Promise<void>
}

const WAIT = { timeout: 20_000, interval: 20 }

/** With `isWorking` false no worker runs imports until one is started. */
export async function createTestTransfers(
  options: TestCoreOptions & { readonly isWorking?: boolean } = {},
): Promise<TestTransfers> {
  const core = await createTestCore(options)
  const log = createLog({ logLevel: 'silent' })
  await migratePostgres(core.db, [irrigationModule.migrations, transferMigrations], log)
  const irrigation = createSettingsWriter({
    clock: core.clock,
    devices: core.devices.service,
    hasReported: () => false,
  })
  const parts = {
    ...core,
    log,
    irrigation,
    findAccess: core.session.findAccountAccess,
    directory: core.devices.directory,
    files: noFiles,
  }
  function startWorker() {
    const worker = createTransfers(parts)
    // The worker polls by a timer.
    core.clock.advance(0)
    return worker
  }
  const service = createTransferService(parts)
  const workers = options.isWorking === false ? [] : [startWorker()]

  async function callOf(account: string, language: Call['language'] = 'zh'): Promise<Call> {
    const { id } = await core.db
      .selectFrom('account')
      .select('id')
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
    const access = await core.session.findAccountAccess(id)
    if (!access) throw new Error(`${account} is disabled`)
    const call = createTestCall({ accountId: id, account, ...access })
    const operation = { ...toSystemOperation('excelAdd', core.clock.now()), accountId: id, account }
    return { ...call, language, operation }
  }

  const find = async (call: Call, id: number): Promise<Transfer> => {
    const { datalist } = await service.list(call, {
      transferId: id,
      kind: 'registry',
      limiter: { page: 1, size: 1 },
    })
    const [transfer] = datalist
    if (!transfer) throw new Error(`there is no import ${id}`)
    return transfer
  }

  const waitFor: TestTransfers['waitFor'] = (call, id, state) =>
    vi.waitFor(async () => {
      // A woken worker starts by a timer.
      core.clock.advance(0)
      const transfer = await find(call, id)
      if (transfer.state !== state) throw new Error(`${transfer.state} ${transfer.fault ?? ''}, not ${state}`)
      return transfer
    }, WAIT)

  const upload: TestTransfers['upload'] = (call, rows) =>
    service.upload({ ...call, operation: { ...call.operation } }, '甲.xlsx', createWorkbook(rows))

  return {
    core,
    irrigation,
    service,
    waitFor,
    upload,
    callOf,
    startWorker() {
      const worker = startWorker()
      workers.push(worker)
      return worker
    },
    async addCompany(tenant) {
      const { id } = await core.db
        .insertInto('company')
        .values({ tenant, name: tenant, time_zone: 'Asia/Shanghai' })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async run(call, companyId, rows, dryRun = false) {
      const { id, version } = await upload(call, rows)
      await service.start(call, { transferId: id, version, dryRun, companyId })
      return waitFor(call, id, dryRun ? 'checked' : 'done')
    },
    async verdictsOf(call, id) {
      const { datalist } = await service.listRows(call, { transferId: id, limiter: { page: 1, size: 1_000 } })
      return datalist.map(({ verdict, reason }) => (reason === undefined ? verdict : `${verdict}: ${reason}`))
    },
    async close() {
      for (const worker of workers) await worker.close()
      await core.close()
    },
  }
}
