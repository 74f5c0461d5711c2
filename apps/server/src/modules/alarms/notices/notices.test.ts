import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type AlarmsBench,
  everyAlarm,
  firstPage,
  startAlarmsBench,
  startTestTarget,
} from '../alarms.testkit.ts'
import { claimNotices, storeDueNotices } from './notices.pg.ts'
import { toSignature } from './webhook.ts'

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())
afterEach(() => bench.stop())

/** Reads a value after a short time. */
const after = <Seen>(read: () => Seen): Seen => {
  bench.pass(2)
  return read()
}

const secret = 'a secret of the tests only'
const toTarget = (node: string, url: string) => ({
  node,
  url,
  secret,
  name: 'target',
  severities: [],
  kinds: [],
  channel: 'webhook' as const,
  language: 'zh' as const,
  afterMin: 0,
  enabled: true,
})

test('A12: a notice is signed and retried unchanged until it is delivered', async () => {
  const target = await startTestTarget()
  target.answerWith(503)
  const first = await bench.start()
  const { addAlarmTarget, getAlarmTargets } = first.handlers
  await addAlarmTarget(toTarget(await bench.nodeKey('s1'), target.url), bench.toCall())
  await bench.makeCold(first, 'R-b2u1')
  await bench.makeCold(first, 'R-b3u1')
  await bench.becomes(['room-cold R-b2u1 active', 'room-cold R-b3u1 active'])
  await expect.poll(() => after(() => target.received.length)).toBeGreaterThan(0)
  await expect
    .poll(async () => (await getAlarmTargets({ nodes: [], limiter: firstPage }, bench.toCall())).datalist)
    .toMatchObject([{ fault: 'status 503', waiting: 1, givenUp: 0 }])
  // The next process sends the rest.
  await first.close()
  target.answerWith(204)
  const second = await bench.start()
  await expect
    .poll(async () => {
      bench.pass(20)
      return (await second.handlers.getAlarmTargets({ nodes: [], limiter: firstPage }, bench.toCall()))
        .datalist
    })
    .toMatchObject([{ waiting: 0, givenUp: 0, sentAt: expect.any(Number) }])
  expect(new Set(target.received.map(({ key }) => key)).size).toBe(1)
  for (const { notice, body, signature, key } of target.received) {
    const at = /^t=(?<at>\d+),/.exec(signature)?.groups?.at
    expect(signature).toBe(toSignature(secret, Number(at), body))
    // The target gets no alarms of the other station.
    expect(notice).toMatchObject({
      id: key,
      event: 'raised',
      alarm: { imei: 'R-b2u1', company: 'demo', value: 15 },
    })
  }
  bench.read(second, 'R-b2u1', { 'temp.room': 20 })
  bench.pass(900)
  bench.read(second, 'R-b2u1', { 'temp.room': 20 })
  await expect.poll(() => after(() => target.received.at(-1)?.notice.event)).toBe('cleared')
  await target.stop()
})

test('A12: silenced alarms send no notices until the silence ends, and suppressed alarms send none', async () => {
  const target = await startTestTarget()
  const alarms = await bench.start()
  const { addAlarmTarget, addAlarmSilence, getAlarmSilences, getAlarms } = alarms.handlers
  await addAlarmTarget(toTarget(await bench.nodeKey('s1'), target.url), bench.toCall())
  const until = bench.clock.now() + 6 * HOUR_MS
  const silence = await addAlarmSilence(
    { node: await bench.nodeKey('b2'), until, reason: '检修' },
    bench.toCall(),
  )
  expect(silence).toMatchObject({ reason: '检修', account: 'handler', until, abilities: ['end'] })
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.makeCold(alarms, 'R-b10u1')
  await bench.becomes(['room-cold R-b2u1 active', 'room-cold R-b10u1 active'])
  const listNotices = () => target.received.map(({ notice }) => `${notice.event} ${notice.alarm.imei}`)
  await expect.poll(() => after(() => listNotices())).toEqual(['raised R-b10u1'])
  const { datalist } = await getAlarms(everyAlarm, bench.toCall())
  expect(datalist.find(({ imei }) => imei === 'R-b2u1')).toMatchObject({ silencedUntil: until })
  // The silence expires, and alarms that are still active send notices.
  bench.pass(4 * 3_600, 60_000)
  await expect.poll(() => after(() => listNotices())).toEqual(['raised R-b10u1', 'raised R-b2u1'])
  expect((await getAlarmSilences({ nodes: [], limiter: firstPage }, bench.toCall())).total).toBe(0)
  await target.stop()
})

test('a user with a grant for a part of a station can silence that part only', async () => {
  const alarms = await bench.start()
  const { getAlarmAbilities, addAlarmSilence } = alarms.handlers
  const [station, part] = [await bench.nodeKey('s1'), await bench.nodeKey('b2')]
  const [path] = await bench.network.resolveNodes({ kind: 'all' }, [part])
  const caller = bench.toCall({ kind: 'paths', paths: [path ?? ''] })
  expect(await getAlarmAbilities({ node: part }, caller)).toEqual({ node: part, abilities: ['silence'] })
  expect(await getAlarmAbilities({ node: station }, caller)).toEqual({ node: station, abilities: [] })
  expect(await getAlarmAbilities({ node: '-1' }, bench.toCall())).toEqual({ node: '-1', abilities: [] })
  // The service desk only has the alarm page.
  const reading = bench.toCall({ kind: 'all' }, ['pr-rtalarm'])
  expect((await getAlarmAbilities({ node: station }, reading)).abilities).toEqual([])
  const until = bench.clock.now() + HOUR_MS
  const silence = await addAlarmSilence({ node: part, until, reason: '检修' }, caller)
  expect(silence).toMatchObject({ node: part, abilities: ['end'] })
})

test('the start and the early end of a silence are reported on every replica', async () => {
  const [first, second] = [await bench.start(), await bench.start()]
  const received: string[] = []
  const stopListening = [first, second].map((alarms, nr) =>
    alarms.onSilence((path) => received.push(`${nr} ${path}`)),
  )
  const { addAlarmSilence, endAlarmSilence } = first.handlers
  const node = await bench.nodeKey('b2')
  const until = bench.clock.now() + HOUR_MS
  const { id, version } = await addAlarmSilence({ node, until, reason: '检修' }, bench.toCall())
  await expect.poll(() => received).toHaveLength(2)
  await endAlarmSilence({ id, version }, bench.toCall())
  await expect.poll(() => received).toHaveLength(4)
  const { rows } = await sql<{ path: string }>`
    select path from node join alarm_silence on node_id = node.id where alarm_silence.id = ${id}`.execute(
    bench.db,
  )
  const path = rows[0]?.path
  expect(received.toSorted()).toEqual([`0 ${path}`, `0 ${path}`, `1 ${path}`, `1 ${path}`])
  // An ended silence cannot be ended again.
  await expect(endAlarmSilence({ id, version: version + 1 }, bench.toCall())).rejects.toMatchObject({
    code: 'alarm-silence.not-found',
  })
  for (const stop of stopListening) stop()
})

test('A12: another process sends the notices of a killed process after its lease', async () => {
  const target = await startTestTarget()
  const alarms = await bench.start()
  const { addAlarmTarget } = alarms.handlers
  const switchedOff = { ...toTarget(await bench.nodeKey('s1'), target.url), enabled: false }
  const added = await addAlarmTarget(switchedOff, bench.toCall())
  await alarms.close()
  await sql`
    with raised as (
      insert into alarm (company_id, kind, severity, device_id, path, raised_at)
      select company_id, 'room-cold', 'minor', id, '/', now() from device where id = ${bench.idOf('R-b2u1')}
      returning id),
    on_now as (update alarm_target set enabled = true)
    select from raised`.execute(bench.db)
  // The killed process stored and claimed the notice, but did not send it.
  const now = bench.clock.now()
  expect(await storeDueNotices(bench.db, now)).toBe(1)
  const [taken] = await claimNotices(bench.db, {
    now,
    limit: 10,
    leaseMs: MINUTE_MS,
    sending: [],
    resting: [],
  })
  expect(taken).toMatchObject({ attempts: 1, targetId: added.id })
  expect(
    await claimNotices(bench.db, { now, limit: 10, leaseMs: MINUTE_MS, sending: [], resting: [] }),
  ).toEqual([])
  bench.pass(59)
  expect(
    await claimNotices(bench.db, {
      now: bench.clock.now(),
      limit: 10,
      leaseMs: MINUTE_MS,
      sending: [],
      resting: [],
    }),
  ).toEqual([])
  await bench.start()
  await expect
    .poll(() => {
      bench.pass(4)
      return target.received.map(({ key }) => key)
    })
    .toEqual([taken?.key])
  await target.stop()
})

test('A12: after the last failed attempt the retries end, and the target shows it', async () => {
  const target = await startTestTarget()
  await target.stop()
  const alarms = await bench.start()
  const { addAlarmTarget, getAlarmTargets } = alarms.handlers
  await addAlarmTarget(toTarget(await bench.nodeKey('s1'), target.url), bench.toCall())
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  await expect
    .poll(async () => {
      bench.pass(3 * 3_600, HOUR_MS)
      return (await getAlarmTargets({ nodes: [], limiter: firstPage }, bench.toCall())).datalist
    })
    .toMatchObject([{ waiting: 0, givenUp: 1, fault: 'refused' }])
  const { rows } = await sql<{ attempts: number }>`select attempts from alarm_notice`.execute(bench.db)
  expect(rows).toEqual([{ attempts: 12 }])
})

test('A12: an escalation waits, and is not needed once somebody acknowledges', async () => {
  const target = await startTestTarget()
  const alarms = await bench.start()
  const { addAlarmTarget, getAlarmDeliveries, getAlarms, editAlarm } = alarms.handlers
  const { id } = await addAlarmTarget(
    { ...toTarget(await bench.nodeKey('s1'), target.url), afterMin: 10 },
    bench.toCall(),
  )
  const readLog = async () => (await getAlarmDeliveries({ id, limiter: firstPage }, bench.toCall())).datalist
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.makeCold(alarms, 'R-b10u1')
  await bench.becomes(['room-cold R-b2u1 active', 'room-cold R-b10u1 active'])
  await expect.poll(async () => (await after(readLog)).length).toBe(2)
  expect(target.received).toEqual([])
  const { datalist } = await getAlarms(everyAlarm, bench.toCall())
  const seen = datalist.find(({ imei }) => imei === 'R-b2u1')
  if (!seen) throw new Error('no alarm')
  await editAlarm({ id: seen.id, version: seen.version, acknowledge: true }, bench.toCall())
  bench.pass(10 * 60)
  await expect
    .poll(() => after(() => target.received.map(({ notice }) => notice.alarm.imei)))
    .toEqual(['R-b10u1'])
  await expect
    .poll(async () => (await after(readLog)).map(({ state }) => state))
    .toEqual(expect.arrayContaining(['sent', 'not-needed']))
  await target.stop()
})

test('A12: the end of an alarm that returned is not reported to a receiver that got no notice of the return', async () => {
  const target = await startTestTarget()
  const alarms = await bench.start()
  const { addAlarmTarget, getAlarmDeliveries } = alarms.handlers
  const { id } = await addAlarmTarget(
    { ...toTarget(await bench.nodeKey('s1'), target.url), afterMin: 600 },
    bench.toCall(),
  )
  const readLog = async () =>
    (await getAlarmDeliveries({ id, limiter: firstPage }, bench.toCall())).datalist
      .map(({ event, state }) => `${event} ${state}`)
      // Another step may store the end before it finds that the start is not needed.
      .filter((line) => line !== 'cleared not-needed')
      .toReversed()
  const becomesWarm = async () => {
    bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
    bench.pass(900)
    bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
    await bench.becomes(['room-cold R-b2u1 cleared'])
  }
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  await expect.poll(() => after(readLog)).toEqual(['raised waiting'])
  bench.pass(600 * 60, 60_000)
  await expect.poll(() => after(readLog)).toEqual(['raised sent'])
  await becomesWarm()
  await expect.poll(() => after(readLog)).toEqual(['raised sent', 'cleared sent'])
  // It returns and ends again before the receiver's time.
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  await expect.poll(() => after(readLog)).toEqual(['raised sent', 'cleared sent', 'raised waiting'])
  await becomesWarm()
  await expect.poll(() => after(readLog)).toEqual(['raised sent', 'cleared sent', 'raised not-needed'])
  expect(target.received.map(({ notice }) => notice.event)).toEqual(['raised', 'cleared'])
  await target.stop()
})
