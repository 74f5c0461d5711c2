import { setTimeout as wait } from 'node:timers/promises'
import { toUrlPath, WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { htApiEnvelope } from '@isotherm/contract/envelope'
import { transfer } from '@isotherm/contract/transfer'
import { z } from 'zod'
import { type Cell, toWorkbook } from '../../apps/server/src/platform/spreadsheet/workbook-writer.ts'
import { TENANT } from '../registry/company.ts'
import type { PlainSql } from '../registry/plain-sql.ts'
import type { Session } from '../registry/server-calls.ts'

/** Every hundredth row has an unknown place. */
const BAD_EVERY = 100
const POLL_MS = 500

export interface Imported {
  readonly added: number
  readonly unchanged: number
  readonly failed: number
  readonly seconds: number
}

interface ImportNeeds {
  readonly port: number
  readonly session: Session
  readonly sql: PlainSql
  readonly rows: number
}

const named = z.object({ nestaddr: z.string() })

async function createFile(places: readonly string[], rows: number): Promise<Buffer<ArrayBuffer>> {
  function* cells(): Generator<Cell[]> {
    yield ['编号', '类型', '名称', '型号', '位置', '上报周期(s)']
    for (let row = 0; row < rows; row += 1) {
      const place = row % BAD_EVERY === 0 ? '没有这个地方' : (places[row % places.length] ?? '')
      yield [`IMP-${row}`, '室温采集器', `室温 ${row}`, 'T1', place, 900]
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of toWorkbook([{ name: '设备', widths: [], rows: cells() }])) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Time of the same rows by one statement, rolled back, s. */
async function timePlain(sql: PlainSql, rows: number): Promise<number> {
  const ms = await sql.timeAndUndo(
    `insert into device (company_id, node_id, kind, serial, name, model, period_s)
     select company.id, (select id from node where company_id = company.id and level = 7 limit 1), 'room-sensor',
       'PLAIN-' || nr, 'plain ' || nr, (select name from device_model where kind = 'room-sensor' limit 1), 900
     from company, generate_series(1, $1::int) nr where company.tenant = '${TENANT}'`,
    [rows],
  )
  return ms / 1_000
}

/** Imports a workbook of devices through the calls of the page, and lists devices meanwhile. */
export async function importDevices({ port, session, sql, rows }: ImportNeeds) {
  const found = await sql.rows(
    named,
    `select nestaddr from node where level = 7 and company_id = (select id from company where tenant = '${TENANT}')
     order by id limit 5000`,
  )
  const places = found.map(({ nestaddr }) => nestaddr)
  const file = await createFile(places, rows)
  const started = performance.now()
  const path = `${toUrlPath(endpoints.uploadTransfer)}?fileName=devices.xlsx`
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${session.bearer}`, 'Content-Type': WORKBOOK_TYPE },
    body: file,
  })
  const uploaded = transfer.parse(htApiEnvelope.parse(await answer.json()).data)
  await session.call(endpoints.excelAdd, {
    transferId: uploaded.id,
    version: uploaded.version,
    dryRun: false,
  })
  const listMs: number[] = []
  for (;;) {
    await wait(POLL_MS)
    const limiter = { page: 1, size: 100 }
    listMs.push((await session.call(endpoints.getThreeSelectNewRealDev, { kinds: ['valve'], limiter })).ms)
    const { data } = await session.call(endpoints.getTransfers, { transferId: uploaded.id })
    const [now] = data.datalist
    if (!now) throw new Error('the import is gone')
    if (now.state === 'failed') throw new Error(`the import failed: ${now.fault ?? ''}`)
    if (now.state !== 'done') continue
    const seconds = (performance.now() - started) / 1_000
    const imported: Imported = { added: now.added, unchanged: now.unchanged, failed: now.failed, seconds }
    return { imported, listMs, plainS: await timePlain(sql, rows) }
  }
}
