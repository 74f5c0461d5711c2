import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorkbook } from '../../../platform/spreadsheet/workbook-reader.ts'
import { type AlarmsBench, everyAlarm, firstPage, startAlarmsBench } from '../alarms.testkit.ts'

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())
afterEach(() => bench.stop())

test('the log shows events and accounts of an alarm, in the list and in the exported workbook', async () => {
  const alarms = await bench.start()
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  const { getAlarms, getAlarmLog, exportAlarmLog, editAlarm } = alarms.handlers
  const [alarm] = (await getAlarms(everyAlarm, bench.toCall())).datalist
  if (!alarm) throw new Error('no alarm')
  const { id, version } = alarm
  await editAlarm({ id, version, comment: '已派人', close: true }, bench.toCall())
  const { datalist, total } = await getAlarmLog({ nodes: [], filter: [], limiter: firstPage }, bench.toCall())
  expect(total).toBe(3)
  expect(datalist).toMatchObject([
    { event: 'closed', account: 'handler', alarmId: id, deviceName: 'R-b2u1' },
    { event: 'commented', account: 'handler', detail: '已派人' },
    { event: 'raised', account: '', detail: '15', severity: 'minor' },
  ])
  const byHand = [{ field: 'account', cond: 'eq' as const, vstd: 'handler' }]
  const elsewhere = [await bench.nodeKey('s2')]
  const count = async (nodes: string[], filter: typeof byHand) =>
    (await getAlarmLog({ nodes, filter, limiter: firstPage }, bench.toCall())).total
  expect([await count([], byHand), await count(elsewhere, [])]).toEqual([2, 0])
  const inChinese = () => ({ ...bench.toCall(), language: 'zh' as const })
  const { fileName, bytes } = await exportAlarmLog({ nodes: [], filter: [], format: 'xlsx' }, inChinese())
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  const whole = Buffer.concat(pieces)
  const { readRows } = await openWorkbook({
    size: whole.length,
    read: async (from, length) => whole.subarray(from, from + length),
  })
  const rows: string[][] = []
  for await (const { cells } of readRows('告警日志')) rows.push([...cells.values()])
  const csv = await exportAlarmLog({ nodes: [], filter: [], format: 'csv' }, inChinese())
  let text = ''
  for await (const piece of csv.bytes) text += Buffer.from(piece).toString('utf8')
  expect([csv.type, text.split('\r\n').length]).toEqual(['text/csv; charset=utf-8', 5])
  expect(text).toContain(',室温过低,次要,备注,handler,已派人,')
  expect(fileName).toMatch(/^alarms-2026-11-.*\.xlsx$/)
  expect(rows[0]).toEqual(['时间', '告警', '级别', '事件', '操作人', '详情', '位置', '设备', '告警编号'])
  expect(rows[2]?.slice(1, 6)).toEqual(['室温过低', '次要', '备注', 'handler', '已派人'])
})

test('an account exports the log once at a time', async () => {
  const alarms = await bench.start()
  const open = () => alarms.handlers.exportAlarmLog({ nodes: [], filter: [], format: 'csv' }, bench.toCall())
  const first = (await open()).bytes[Symbol.asyncIterator]()
  await first.next()
  await expect(open()).rejects.toMatchObject({ code: 'request.too-many' })
  await first.return?.()
  await expect(open()).resolves.toMatchObject({ type: 'text/csv; charset=utf-8' })
})

test('the text search finds alarms and log entries by place, device, comment and account, in any case', async () => {
  const alarms = await bench.start()
  for (const room of ['R-b2u1', 'R-b3u1']) bench.read(alarms, room, { 'temp.room': 15 })
  bench.pass(3_600, 60_000)
  for (const room of ['R-b2u1', 'R-b3u1']) bench.read(alarms, room, { 'temp.room': 15 })
  await bench.becomes(['room-cold R-b2u1 active', 'room-cold R-b3u1 active'])
  const { getAlarms, getAlarmLog, editAlarms } = alarms.handlers
  const about = (...words: string[]) =>
    words.map((vstd) => ({ field: 'about', cond: 'like' as const, vstd: vstd.toLowerCase() }))
  const nodes = [await bench.nodeKey('p')]
  const inB2 = about('二号楼')
  await editAlarms({ nodes, filter: inB2, suppressed: false, comment: 'Pump 7' }, bench.toCall())
  const find = async (...words: string[]) => {
    const { datalist } = await getAlarms({ ...everyAlarm, filter: about(...words) }, bench.toCall())
    return datalist.map(({ imei }) => imei).toSorted()
  }
  expect(await find('R-b3U1')).toEqual(['R-b3u1'])
  expect(await find('二号楼', 'PUMP 7')).toEqual(['R-b2u1'])
  expect(await find('r-b')).toEqual(['R-b2u1', 'R-b3u1'])
  const log = await getAlarmLog(
    { nodes: [], filter: about('Handler', '二号楼'), limiter: firstPage },
    bench.toCall(),
  )
  expect(log.datalist).toMatchObject([{ event: 'commented', detail: 'Pump 7', deviceName: 'R-b2u1' }])
})
