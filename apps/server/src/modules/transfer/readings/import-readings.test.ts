import { permissions } from '@isotherm/contract/access/permissions'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { previewReadings, uploadReadings } from '@isotherm/contract/endpoints/devices/reading-files'
import { type ReadingMapping, readingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { htApiEnvelope } from '@isotherm/contract/envelope'
import { quality } from '@isotherm/contract/metrics'
import { transferCause, transfer as transferSchema } from '@isotherm/contract/transfer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { readWorkbook } from '../transfer.testkit.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('keeper', permissions, ['s1'])
  token = (await server.logIn('keeper'))['ht-api']
})
afterAll(() => server.stop())

const PART = 256 * 1024

/** Uploads a file in parts of 256 KB. */
async function upload(bytes: Buffer, fileName = '读数.csv') {
  let last: z.infer<typeof transferSchema> | undefined
  for (let from = 0; from < bytes.length; from += PART) {
    const query = new URLSearchParams({ fileName, size: String(bytes.length), from: String(from) })
    if (last) query.set('upload', String(last.id))
    const response = await fetch(`${server.base}${toUrlPath(uploadReadings)}?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      body: new Uint8Array(bytes.subarray(from, from + PART)),
    })
    const { code, data, message } = htApiEnvelope.parse(await response.json())
    if (code !== null && code !== undefined) throw new Error(`${code} ${message}`)
    last = transferSchema.parse(data)
  }
  if (last?.state !== 'uploaded') throw new Error('the upload did not end')
  return last
}

async function find(id: number) {
  const { data } = await server.call(endpoints.getTransfers, { transferId: id }, token)
  return z.object({ datalist: z.tuple([transferSchema]) }).parse(data).datalist[0]
}

/** Runs a check or an import to its end. */
async function run(id: number, mapping: ReadingMapping, dryRun: boolean) {
  const { version } = await find(id)
  const input = { transferId: id, version, dryRun, mapping }
  const { code, text } = await server.call(endpoints.importReadings, input, token)
  if (code !== undefined) throw new Error(`${code} ${text}`)
  const state = dryRun ? 'checked' : 'done'
  await vi.waitFor(async () => expect((await find(id)).state).toBe(state), { timeout: 30_000, interval: 100 })
  const { added, unchanged, failed, done, total } = await find(id)
  return { added, unchanged, failed, rows: [done, total] }
}

async function listCauses(id: number) {
  const { data } = await server.call(endpoints.getTransferCauses, { transferId: id }, token)
  const { datalist } = z.object({ datalist: z.array(transferCause) }).parse(data)
  return datalist.map(({ rows, reason, first }) => [rows, reason, first])
}

/** Stored values of a device: instant, value, quality and whether they are live. */
async function listStored(serial: string) {
  const id = await server.deviceId(serial)
  const query = `SELECT formatDateTime(ts, '%FT%T', 'UTC'), value, quality, live FROM readings FINAL
    WHERE device = ${id} ORDER BY ts, metric`
  const answer = await server.clickhouse.query({ query, format: 'JSONCompactEachRow' })
  return answer.json()
}

const WIDE = [
  '原平台导出,,,',
  '设备编号,时间,室温(℃),备注',
  'R-b2u1,2026-01-02 08:00,20.5,',
  'R-b2u1,2026-01-02 09:00,20.7,',
  'R-b2u2,2026-01-02 08:00,--,没有数值',
  'R-b2u1,2026-13-02 08:00,20.5,',
  'R-b2u1,2026-01-02 10:00,暖,',
  'R-b3u1,2026-01-02 08:00,20.5,不在权限内',
  'NOBODY,2026-01-02 08:00,20.5,',
  'R-b2u1,2099-01-02 08:00,20.5,',
  'V-b2u1,2026-01-02 08:00,20.5,阀门没有室温',
].join('\r\n')

/** The mapping that the preview recognises. */
async function recognise(id: number, headingRow: number): Promise<ReadingMapping> {
  const { data } = await server.call(endpoints.previewReadings, { transferId: id, headingRow }, token)
  const { format, headings, guess } = previewReadings.output.parse(data)
  return readingMapping.parse({ ...guess, ...format, headingRow, headings, isEstimated: false })
}

test('a wide file is recognised and checked; faults are grouped by cause; its readings are imported once', async () => {
  const { id } = await upload(Buffer.from(WIDE))
  const mapping = await recognise(id, 2)
  expect(mapping).toMatchObject({
    device: { column: 0, by: 'serial' },
    time: { column: 1 },
    timeZone: 'Asia/Shanghai',
    values: [{ column: 2, metric: 'temp.room', unit: '°C' }],
  })
  expect(await run(id, mapping, true)).toEqual({ added: 2, unchanged: 0, failed: 6, rows: [9, 9] })
  expect(await listStored('R-b2u1')).toEqual([])
  expect(await listCauses(id)).toEqual([
    [2, 'Device not found, or outside your access: R-b3u1', [8, 9]],
    [1, 'The time is not recognised: 2026-13-02 08:00', [6]],
    [1, 'The time is in the future', [10]],
    [1, 'Not a number: 暖', [7]],
    [1, 'This kind of device does not report this metric: temp.room', [11]],
  ])
  expect(await run(id, mapping, false)).toEqual({ added: 2, unchanged: 0, failed: 6, rows: [9, 9] })
  const stored = [
    ['2026-01-02T00:00:00', 20.5, 0, 0],
    ['2026-01-02T01:00:00', 20.7, 0, 0],
  ]
  expect(await listStored('R-b2u1')).toEqual(stored)
  // The failed rows are a file that can be imported again.
  const answer = await fetch(`${server.base}${toUrlPath(endpoints.downloadFailed)}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Accept-Language': 'en',
    },
    body: JSON.stringify({ transferId: id }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const sheets = await readWorkbook(
    (async function* () {
      yield bytes
    })(),
  )
  expect(sheets.Readings?.[0]).toEqual(['设备编号', '时间', '室温(℃)', '备注', 'Reason for failure', 'Row'])
  expect(sheets.Readings).toHaveLength(7)
  const { id: again } = await upload(bytes, 'failed.xlsx')
  expect(await run(again, await recognise(again, 1), true)).toMatchObject({ added: 0, failed: 6 })
  // The same file again changes nothing.
  const { id: second } = await upload(Buffer.from(WIDE))
  expect(await run(second, mapping, false)).toMatchObject({ added: 0, unchanged: 2, failed: 6 })
  expect(await listStored('R-b2u1')).toEqual(stored)
})

test('a long file of an older program: units are converted, estimates marked, other values never replaced', async () => {
  const text = (opening: number) =>
    `sn;time;point;value\nV-b2u1;2026/1/2 8:00;压差(MPa);0.02\nV-b2u1;2026/1/2 8:00;开度;${opening}\nV-b2u1;2026/1/2 8:00;湿度;5\n`
  const { id } = await upload(Buffer.from(text(40)))
  const mapping = { ...(await recognise(id, 1)), isEstimated: true }
  expect(mapping).toMatchObject({ form: 'long', metricColumn: 2, valueColumn: 3 })
  expect(await run(id, mapping, false)).toMatchObject({ added: 2, failed: 1 })
  expect(await listCauses(id)).toEqual([[1, 'The metric "湿度" is not mapped', [4]]])
  const stored = [
    ['2026-01-02T00:00:00', 20, quality.substituted, 0],
    ['2026-01-02T00:00:00', 40, quality.substituted, 0],
  ]
  expect(await listStored('V-b2u1')).toEqual(stored)
  const { id: other } = await upload(Buffer.from(text(55)))
  expect(await run(other, mapping, false)).toMatchObject({ added: 0, unchanged: 1, failed: 2 })
  expect(await listStored('V-b2u1')).toEqual(stored)
})

test('a file of many parts is read in batches; an interrupted upload is continued', async () => {
  const start = Date.UTC(2025, 0, 1)
  const lines = Array.from({ length: 30_000 }, (_, index) => {
    const at = new Date(start + index * 900_000).toISOString()
    return `R-b10u1,${at},${20 + (index % 10) / 10}`
  })
  const bytes = Buffer.from(`device,time,room temp\n${lines.join('\n')}`)
  expect(bytes.length).toBeGreaterThan(4 * PART)
  const { id } = await upload(bytes)
  const mapping = await recognise(id, 1)
  expect(await run(id, mapping, false)).toEqual({
    added: 30_000,
    unchanged: 0,
    failed: 0,
    rows: [30_000, 30_000],
  })
  expect(await listStored('R-b10u1')).toHaveLength(30_000)
})
