import { permissions } from '@isotherm/contract/access/permissions'
import { z } from 'zod'
import { createCore } from '../../../core.ts'
import { systemClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { createLog } from '../../../platform/log.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { type Cell, toWorkbook } from '../../../platform/spreadsheet/workbook-writer.ts'
import { createSettingsWriter, irrigationModule } from '../../irrigation/index.ts'
import { createTransfers } from '../index.ts'
import { transferMigrations } from '../runs/migrations.pg.ts'
import { createTransferService } from '../service.ts'
import { noFiles } from '../transfer.testkit.ts'

/**
 * Imports and exports a company with the given number of rows in a separate process with a limited heap, and prints the
 * time and memory used: `node import-many.testkit.ts <database url> <rows>`.
 */
const [databaseUrl = '', count = '0'] = process.argv.slice(2)
const rowsOfSheet = Number(count) / 2
const HOUSEHOLDS_PER_UNIT = 24
const UNITS_PER_BUILDING = 4

/** Names of the household, from the project down. */
function toNames(index: number): string[] {
  const unit = Math.floor(index / HOUSEHOLDS_PER_UNIT)
  const building = Math.floor(unit / UNITS_PER_BUILDING)
  const area = Math.floor(building / 30)
  const station = Math.floor(area / 4)
  return [
    '集团',
    '示范公司',
    `第${station + 1}换热站`,
    `幸福小区${area + 1}`,
    `${building + 1}号楼`,
    `${(unit % UNITS_PER_BUILDING) + 1}单元`,
    String((index % HOUSEHOLDS_PER_UNIT) + 101),
  ]
}

function* createHouseholds(): Generator<Cell[]> {
  yield ['项目', '公司', '换热站', '小区', '楼', '单元', '户', '面积(m²)']
  for (let index = 0; index < rowsOfSheet; index += 1) yield [...toNames(index), 80 + (index % 60)]
}

function* createDevices(): Generator<Cell[]> {
  yield ['编号', '类型', '名称', '型号', '位置', '上报周期(s)']
  for (let index = 0; index < rowsOfSheet; index += 1) {
    yield [`R-${index}`, '室温采集器', `室温${index}`, 'T1', toNames(index).join(','), 900]
  }
}

const settings = {
  DATABASE_URL: databaseUrl,
  CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
  ISOTHERM_MODE: 'demo',
}
const config = readConfig({ ISOTHERM_MQTT_SECRET: 'secret-of-the-tests', ...settings })
const log = createLog({ logLevel: 'silent' })
const core = await createCore({ config, log, clock: systemClock }, [
  irrigationModule.migrations,
  transferMigrations,
])
const parts = {
  ...core,
  log,
  findAccess: core.session.findAccountAccess,
  irrigation: createSettingsWriter({
    clock: systemClock,
    devices: core.devices.service,
    hasReported: () => false,
  }),
  directory: core.devices.directory,
  files: noFiles,
}
const transfers = createTransfers(parts)
const service = createTransferService(parts)

const account = await core.db
  .insertInto('account')
  .values({
    account: 'staff',
    name: 'staff',
    password_hash: 'none',
    p_account: 'test',
    company_id: null,
    kind: 'provider',
    sees_all: true,
  })
  .returning('id')
  .executeTakeFirstOrThrow()
const role = await core.db
  .selectFrom('role')
  .select('id')
  .where('key', '=', 'administrator')
  .executeTakeFirstOrThrow()
await core.db.insertInto('account_role').values({ account_id: account.id, role_id: role.id }).execute()
const company = await core.db
  .insertInto('company')
  .values({ tenant: 'many', name: '示范供热', time_zone: 'Asia/Shanghai' })
  .returning('id')
  .executeTakeFirstOrThrow()

const caller = { accountId: account.id, account: 'staff', permissions: new Set(permissions) }
const call = {
  ...createTestCall({ ...caller, scope: scopeOfEverything }),
  operation: { ...toSystemOperation('excelAdd', 0), accountId: account.id },
}

let peakHeapBytes = 0
let peakRssBytes = 0
const watch = setInterval(() => {
  const { heapUsed, rss } = process.memoryUsage()
  peakHeapBytes = Math.max(peakHeapBytes, heapUsed)
  peakRssBytes = Math.max(peakRssBytes, rss)
}, 50)

const ended = Promise.withResolvers<void>()
const final = z.enum(['done', 'failed', 'cancelled'])
let importingAt = 0
transfers.onProgress((_account, { state }) => {
  if (state === 'importing' && importingAt === 0) importingAt = performance.now()
  if (final.safeParse(state).success) ended.resolve()
})

const workbook = toWorkbook([
  { name: '结构', widths: [], rows: createHouseholds() },
  { name: '设备', widths: [], rows: createDevices() },
])
const started = performance.now()
const { id, version, sizeBytes } = await service.upload(call, 'many.xlsx', workbook)
const uploadedAt = performance.now()
await service.start(call, { transferId: id, version, dryRun: false, companyId: company.id })
await ended.promise
const doneAt = performance.now()
let exportedBytes = 0
const exported = await service.exportCompany(call, { companyId: company.id })
for await (const piece of exported.bytes) exportedBytes += piece.length
const exportedAt = performance.now()
clearInterval(watch)

const { datalist } = await service.list(call, {
  transferId: id,
  kind: 'registry',
  limiter: { page: 1, size: 1 },
})
const [transfer] = datalist
console.log(
  JSON.stringify({
    state: transfer?.state,
    fault: transfer?.fault,
    added: transfer?.added,
    failed: transfer?.failed,
    sizeBytes,
    exportedBytes,
    peakHeapBytes,
    peakRssBytes,
    uploadMs: Math.round(uploadedAt - started),
    checkMs: Math.round(importingAt - uploadedAt),
    importMs: Math.round(doneAt - importingAt),
    exportMs: Math.round(exportedAt - doneAt),
  }),
)
await transfers.close()
await core.signals.close()
await core.clickhouse.close()
await core.db.destroy()
