import { alarmReportNotice, SIGNATURE_HEADER } from '@isotherm/contract/alarms/alarms'
import type { ReportTimes } from '@isotherm/contract/alarms/notice-channels'
import { addAlarmTarget } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { type AlarmsBench, firstPage, startAlarmsBench } from '../alarms.testkit.ts'
import type { Alarms } from '../index.ts'
import { createDelivery } from './deliver.ts'
import { startMailbox, startReceiver } from './receivers.testkit.ts'
import { storeDueReports } from './reports.pg.ts'
import { createTargetCheck } from './target-address.ts'
import { toWeekday } from './times/duty.ts'
import { findLastSlot } from './times/report-slots.ts'
import { toSignature } from './webhook.ts'

const secret = 'a secret of the tests only'
const summary = {
  from: '2026-01-05',
  to: '2026-01-11',
  reports: [
    {
      report: 'balance',
      figures: { sigmaReturnK: 2.104, withinOneK: 0.456, meanReturnC: 38 },
      before: { sigmaReturnK: 3.4 },
      measured: 4,
      devices: 4,
    },
  ],
}

let bench: AlarmsBench
let alarms: Alarms
/** On a day that is three days away. */
let weekly: ReportTimes
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  bench = await startAlarmsBench()
  receiver = await startReceiver()
})
afterAll(async () => {
  await bench.close()
  await receiver.stop()
})
beforeEach(async () => {
  await bench.clear()
  receiver.received.length = 0
  alarms = await bench.start()
  const today = Math.floor((bench.clock.now() + 8 * HOUR_MS) / DAY_MS)
  weekly = { every: 'week', weekday: toWeekday(today + 3), hour: 8, isOnly: true }
})
afterEach(() => bench.stop())

const statistics = () => bench.toCall({ kind: 'all' }, ['pr-rtalarm', 'pe-fmcontrol', 'ps-statsys'])

async function add(report: ReportTimes | undefined, url = receiver.url, call = statistics()) {
  const input: z.input<typeof addAlarmTarget.input> = {
    node: await bench.nodeKey('s1'),
    name: '每周',
    url,
    secret,
    ...(report && { report }),
  }
  return alarms.handlers.addAlarmTarget(addAlarmTarget.input.parse(input), call)
}

/** Moves the clock to just after the next slot. */
function toNextSlot(): void {
  const before = findLastSlot(weekly, 'Asia/Shanghai', bench.clock.now())
  while (findLastSlot(weekly, 'Asia/Shanghai', bench.clock.now()) === before) bench.pass(3_600, HOUR_MS)
}

const failed: number[] = []
const storeDue = (summarize = async () => summary) =>
  storeDueReports(bench.db, bench.clock.now(), summarize, (id) => failed.push(id))
const countStored = async () =>
  (await sql`select from alarm_notice where alarm_id is null`.execute(bench.db)).rows.length

test('a report is signed, sent once for each slot, and is in the log of deliveries', async () => {
  const { id } = await add(weekly)
  // The slot before the target was added is over.
  expect([await storeDue(), await countStored()]).toEqual([0, 0])
  toNextSlot()
  await Promise.all([storeDue(), storeDue()])
  expect([await storeDue(), await countStored()]).toEqual([0, 1])
  await expect
    .poll(() => {
      bench.pass(4)
      return receiver.received.length
    })
    .toBe(1)
  const [call] = receiver.received
  const notice = alarmReportNotice.parse(call?.body)
  expect(notice).toMatchObject({ event: 'report', every: 'week', company: 'demo', from: '2026-01-05' })
  const signature = String(call?.headers[SIGNATURE_HEADER.toLowerCase()])
  const at = /^t=(?<at>\d+),/.exec(signature)?.groups?.at
  expect(signature).toBe(toSignature(secret, Number(at), JSON.stringify(call?.body)))
  const readLog = async () =>
    (await alarms.handlers.getAlarmDeliveries({ id, limiter: firstPage }, statistics())).datalist
  const sent = { event: 'report', state: 'sent', nestaddr: notice.nestaddr }
  await expect.poll(readLog).toEqual([expect.objectContaining(sent)])
  expect((await readLog())[0]).not.toHaveProperty('alarmId')
})

test('a report that cannot be computed delays no other, and is made later', async () => {
  const [first, second] = [await add(weekly), await add(weekly)]
  toNextSlot()
  let calls = 0
  const failOnce = async () => {
    calls += 1
    if (calls === 1) throw new Error('the statement took too long')
    return summary
  }
  expect([await storeDue(failOnce), failed.splice(0), await countStored()]).toEqual([1, [first.id], 1])
  expect([await storeDue(failOnce), failed.splice(0), await countStored()]).toEqual([1, [], 2])
  expect(second.id).toBeGreaterThan(first.id)
})

test('a target that wants reports only gets no single alarms; the report counts them', async () => {
  await add(weekly)
  bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  toNextSlot()
  await storeDue()
  await expect
    .poll(() => {
      bench.pass(4)
      return receiver.received.map(({ body }) => body)
    })
    .toEqual([expect.objectContaining({ event: 'report' })])
  expect(receiver.received[0]?.body).toMatchObject({ alarms: { open: 1 } })
})

test('a report that is more than half a day late is left out, and a disabled target gets none', async () => {
  const target = await add(weekly)
  toNextSlot()
  bench.clock.advance(13 * HOUR_MS)
  expect(await storeDue()).toBe(0)
  toNextSlot()
  const { id, version, url, severities, kinds, language, afterMin, name } = target
  const same = { id, version, url, severities, kinds, language, afterMin, name, report: weekly }
  await alarms.handlers.editAlarmTarget({ ...same, enabled: false }, statistics())
  bench.clock.advance(MINUTE_MS)
  expect(await storeDue()).toBe(0)
})

test('who may not read statistics sets no report', async () => {
  await expect(add(weekly, receiver.url, bench.toCall())).rejects.toMatchObject({ code: 'access.denied' })
  await add(undefined, receiver.url, bench.toCall())
})

test('the mail of a report has its figures with the week before, and its alarms', async () => {
  const mailbox = await startMailbox()
  const check = createTargetCheck({ mayBeLocal: true, services: [] })
  const mail = { url: mailbox.url, from: 'heat@example.com' }
  const deliver = createDelivery({ check, sms: undefined, mail, timeZone: 'Asia/Shanghai' })
  const shared = { v: 1, id: '01K', event: 'report', at: 0, company: 'demo', every: 'week' } as const
  const counts = { raised: { major: 3 }, open: 2 }
  const body = JSON.stringify({ ...shared, nestaddr: '集团,东区', ...summary, alarms: counts })
  const post = { channel: 'mail', url: 'mailto:a@example.com', secret: '', key: '01K', sentAtS: 0 } as const
  await deliver({ ...post, language: 'en', body })
  const text = mailbox.mails[0]?.data.replaceAll('=\r\n', '') ?? ''
  expect(mailbox.mails[0]?.recipients).toEqual(['a@example.com'])
  for (const part of ['2.10 (before 3.40)', '45.6', 'New alarms: Major 3', 'Alarms not ended: 2'])
    expect(text).toContain(part)
  await mailbox.stop()
})
