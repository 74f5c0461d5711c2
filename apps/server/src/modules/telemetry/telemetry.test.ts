import { quality } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type ClickHouseClient, createClickhouse } from '../../platform/clickhouse/clickhouse.ch.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { createLog } from '../../platform/log.ts'
import { soleOwner } from '../../platform/replicas/owners.ts'
import { createTestDirectory, toMessage } from './messages/sample-directory.testkit.ts'
import type { FindingChange } from './quality/finding-changes.ts'
import { insertMark, readMark } from './snapshots/newest-values.ch.ts'
import { startTestStore } from './store/store.testkit.ts'
import { createTelemetry } from './telemetry.ts'

const log = createLog({ logLevel: 'silent' })
const directory = createTestDirectory()
const ids = directory.all.map(({ id }) => id)
let client: ClickHouseClient
let close: () => Promise<void>

beforeAll(async () => {
  ;({ client, close } = await startTestStore())
})
afterAll(() => close())

function start(
  open: readonly FindingChange[] = [],
  storing = client,
  retentionDays = 1_100,
  mode: 'demo' | 'production' = 'production',
  clock: Clock = systemClock,
) {
  const sent: [topic: string, payload: string][] = []
  const registry = new Registry()
  const telemetry = createTelemetry({
    mode,
    retentionDays,
    clickhouse: storing,
    reading: client,
    clock,
    log,
    registry,
    directory,
    startFindings: async (changes) => changes,
    endFindings: async () => [],
    listOpenFindings: async () => open,
    listFindings: async () => ({ datalist: [], total: 0 }),
    listWatering: async () => new Set(),
    getGateway: () => Promise.reject(new Error('no call is made')),
    owners: soleOwner,
    broker: {
      async publish(topic, payload) {
        sent.push([topic, payload])
      },
    },
    network: { resolveNodes: async () => ['/'], findParts: async () => new Map() },
    devices: {
      listDeviceIds: async () => ({ ids, total: ids.length }),
      getDevices: async () => [],
    },
    selector: {
      select: async () => ({ ids, total: ids.length }),
      listFirst: async () => ids,
      listMatching: async () => ids,
      find: async () => [],
      findPlaces: async () => new Map(),
      listOfKinds: async () => [],
    },
  })
  const send = (topic: string, payload: string | Buffer) =>
    telemetry.receive({ topic, payload: Buffer.from(payload) })
  const counted = async (name: string, reason?: string) => {
    const found = await registry.getSingleMetric(name)?.get()
    return found?.values.find(({ labels }) => reason === undefined || labels.reason === reason)?.value ?? 0
  }
  return { telemetry, send, sent, counted }
}

async function select<T extends z.ZodType>(row: T, query: string): Promise<z.infer<T>[]> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return z.array(row).parse(await answer.json())
}

const countRows = async (where: string): Promise<number> => {
  const [row] = await select(z.tuple([z.coerce.number()]), `SELECT count() FROM readings WHERE ${where}`)
  return row?.[0] ?? 0
}

test('a message resolves after its readings are stored, and changes the newest values', async () => {
  const { telemetry, send } = start()
  const now = Date.now()
  await send('hx/v1/demo/c1/up/telemetry', toMessage(1, 0, ['c1v1', 'c1v2'], now, 61))
  expect(await countRows('boot = 1 AND seq = 0')).toBe(4)
  expect(telemetry.states.find(2)).toMatchObject({
    ts: now,
    metrics: { 'valve.opening': 61, 'temp.return': 38.5 },
  })
})

test('a repeated message, immediate or later, is stored once', async () => {
  const { send, counted } = start()
  const message = toMessage(2, 0, ['c1v1'], Date.now())
  await Promise.all([1, 2, 3].map(() => send('hx/v1/demo/c1/up/telemetry', message)))
  await send('hx/v1/demo/c1/up/telemetry', message)
  expect(await countRows('boot = 2')).toBe(2)
  expect(await counted('isotherm_ingest_duplicates_total')).toBeGreaterThanOrEqual(1)
})

test('a restarted server knows the stored newest values and messages', async () => {
  const now = Date.now()
  const first = start()
  await first.send('hx/v1/demo/c2/up/telemetry', toMessage(3, 7, ['c2v1'], now, 72))
  const second = start()
  await second.telemetry.restore()
  expect(second.telemetry.states.find(6)).toMatchObject({ ts: now, metrics: { 'valve.opening': 72 } })
  await second.send('hx/v1/demo/c2/up/telemetry', toMessage(3, 7, ['c2v1'], now, 72))
  expect(await countRows('boot = 3')).toBe(2)
})

test('a restarted server sends the watermark of a boot whose first messages it does not read again', async () => {
  const ts = Date.now()
  const readings = (seq: number) => toMessage(41, seq, ['c2v2'], ts + seq)
  const frames = (seq: number) => JSON.stringify({ v: 1, boot: 41, seq, ts, f: [{ hex: '68' }] })
  const first = start()
  await first.telemetry.restore()
  for (const seq of [0, 1]) {
    await first.send('hx/v1/demo/c2/up/telemetry', readings(seq))
    await first.send('hx/v1/demo/c2/up/raw', frames(seq))
  }
  await first.telemetry.close(1_000)
  // As messages of the days before, these are not read at start.
  for (const table of ['readings', 'raw_frames'])
    await client.command({ query: `DELETE FROM ${table} WHERE boot = 41` })
  const second = start()
  await second.telemetry.restore()
  await second.send('hx/v1/demo/c2/up/telemetry', readings(1))
  expect(await second.counted('isotherm_ingest_duplicates_total')).toBe(1)
  await second.send('hx/v1/demo/c2/up/telemetry', readings(2))
  await second.send('hx/v1/demo/c2/up/raw', frames(2))
  for (const watermark of ['{"boot":41,"seq":2}', '{"boot":41,"raw":2}'])
    await expect.poll(() => second.sent).toContainEqual(['hx/v1/demo/c2/down/ack', watermark])
  await second.telemetry.close(1_000)
})

test('a server that starts on a snapshot knows its values and messages without reading them again', async () => {
  const planned: (() => void)[] = []
  const clock: Clock = {
    ...systemClock,
    setTimeout(task, delayMs) {
      if (delayMs !== 5 * MINUTE_MS) return systemClock.setTimeout(task, delayMs)
      planned.push(task)
      return { cancel: () => undefined }
    },
  }
  const now = Date.now()
  const first = start([], client, 1_100, 'production', clock)
  await first.telemetry.restore()
  // The mark of a server before.
  await client.command({ query: 'TRUNCATE TABLE snapshot_mark' })
  await first.send('hx/v1/demo/c2/up/telemetry', toMessage(95, 0, ['c2v1'], now, 33))
  await first.send('hx/v1/demo/c2/up/telemetry', toMessage(95, 5, ['c2v1'], now + 1, 34))
  for (const task of planned) task()
  await vi.waitUntil(async () => (await readMark(client)) !== undefined, { timeout: 30_000 })
  // What the snapshot contains is not read again.
  await client.command({ query: 'DELETE FROM readings WHERE boot = 95' })
  const second = start()
  await second.telemetry.restore()
  expect(second.telemetry.states.find(6)).toMatchObject({ ts: now + 1, metrics: { 'valve.opening': 34 } })
  for (const [seq, ts] of [
    [0, now],
    [5, now + 1],
  ] as const)
    await second.send('hx/v1/demo/c2/up/telemetry', toMessage(95, seq, ['c2v1'], ts))
  expect(await second.counted('isotherm_ingest_duplicates_total')).toBe(2)
  // What came since is read from the readings.
  await first.send('hx/v1/demo/c2/up/telemetry', toMessage(95, 1, ['c2v2'], now + 2, 35))
  const third = start()
  await third.telemetry.restore()
  expect(third.telemetry.states.find(7)).toMatchObject({ ts: now + 2, metrics: { 'valve.opening': 35 } })
  // A mark of the future is that of a wrong clock: everything is read.
  await insertMark(client, Date.now() + DAY_MS)
  await first.send('hx/v1/demo/c2/up/telemetry', toMessage(95, 2, ['c2v1'], now + 3, 36))
  const fourth = start()
  await fourth.telemetry.restore()
  expect(fourth.telemetry.states.find(6)).toMatchObject({ ts: now + 3, metrics: { 'valve.opening': 36 } })
  for (const { telemetry } of [first, second, third, fourth]) await telemetry.close(1_000)
  await client.command({ query: 'TRUNCATE TABLE snapshot_mark' })
})

test('newest values are restored with their quality, each with its own instant', async () => {
  const now = Date.now()
  const first = start()
  const say = (seq: number, ts: number, m: Record<string, number>) =>
    first.send(
      'hx/v1/demo/c2/up/telemetry',
      JSON.stringify({ v: 1, boot: 31, seq, ts: now, d: [{ id: 'c2v3', ts, m }] }),
    )
  await say(0, now - 3 * HOUR_MS, { 'bat.v': 3.4, rssi: -70 })
  await say(1, now - MINUTE_MS, { 'temp.return': 130, 'temp.supply': 45, 'valve.opening': 20 })
  await say(2, now - 90_000, { 'bat.v': 3.3, 'temp.supply': 44 })
  const before = first.telemetry.states.find(8)
  expect(before).toMatchObject({
    ts: now - MINUTE_MS,
    quality: 4,
    metrics: { 'bat.v': 3.3, rssi: -70, 'temp.return': 130, 'temp.supply': 45, 'valve.opening': 20 },
  })
  const second = start()
  await second.telemetry.restore()
  const after = second.telemetry.states.find(8)
  expect(after).toEqual({ ...before, absence: after?.absence })
  // An older value of a metric is ignored, by the restored instant of the newer one.
  await second.send(
    'hx/v1/demo/c2/up/telemetry',
    JSON.stringify({
      v: 1,
      boot: 31,
      seq: 3,
      ts: now,
      d: [{ id: 'c2v3', ts: now - 4 * HOUR_MS, m: { rssi: -99 } }],
    }),
  )
  expect(second.telemetry.states.find(8)?.metrics.rssi).toBe(-70)
  await Promise.all([first.telemetry.close(0), second.telemetry.close(0)])
})

test('a message of which only the rows of one month were stored is stored again after a restart', async () => {
  // A minute before a month begins, within the retention.
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 9, 1))
  const old = month.getTime() - MINUTE_MS
  const d = [old, old + 120_000].map((ts) => ({
    id: 'c1v2',
    ts,
    m: { 'valve.opening': 50, 'temp.return': 40 },
  }))
  const message = JSON.stringify({ v: 1, boot: 10, seq: 0, ts: old, d })
  await start().send('hx/v1/demo/c1/up/history', message)
  expect(await countRows('boot = 10')).toBe(4)
  // State after a crash between the two parts of the insert.
  const partition = month.toISOString().slice(0, 7).replace('-', '')
  await client.command({ query: `ALTER TABLE readings DROP PARTITION ${partition}` })
  expect(await countRows('boot = 10')).toBe(2)
  const { telemetry, send } = start()
  await telemetry.restore()
  await send('hx/v1/demo/c1/up/history', message)
  const [distinct] = await select(
    z.tuple([z.coerce.number()]),
    'SELECT uniqExact(device, metric, ts) FROM readings WHERE boot = 10',
  )
  expect(distinct).toEqual([4])
})

test('a message with two values for one instant is complete with the later one', async () => {
  const now = Date.now()
  const d = [41, 42].map((value) => ({ id: 'c1v2', ts: now + 2, m: { 'temp.return': value } }))
  const message = JSON.stringify({ v: 1, boot: 11, seq: 0, ts: now, d })
  await start().send('hx/v1/demo/c1/up/telemetry', message)
  expect(await countRows('boot = 11 AND value = 42')).toBe(1)
  const { telemetry, send, counted } = start()
  await telemetry.restore()
  await send('hx/v1/demo/c1/up/telemetry', message)
  expect(await counted('isotherm_ingest_duplicates_total')).toBe(1)
})

test('recent arrivals are found without reading older ones', async () => {
  const plan = await select(
    z.tuple([z.string()]),
    'EXPLAIN indexes = 1 SELECT DISTINCT node FROM readings WHERE received >= now64(3) + INTERVAL 1 HOUR',
  )
  const text = plan.map(([line]) => line.trim()).join('\n')
  expect(text).toMatch(/Name: by_received\n(?:.+\n)*?Granules: 0\/[1-9]/)
})

test('a restarted server continues to correct a clock that is known to be wrong', async () => {
  const { telemetry, send } = start([
    { deviceId: 1, rule: 'node-clock', since: 1_000, detail: { offsetS: 86_400 } },
  ])
  await telemetry.restore()
  const sent = Date.now() - DAY_MS
  await send('hx/v1/demo/c1/up/telemetry', toMessage(32, 0, ['c1v1'], sent))
  const corrected = `quality = ${quality.clockCorrected} AND toUnixTimestamp64Milli(ts) = ${sent + DAY_MS}`
  expect(await countRows(`boot = 32 AND ${corrected}`)).toBe(2)
})

test('back-fill is stored and never changes the newest values', async () => {
  const { telemetry, send } = start()
  await send('hx/v1/demo/c1/up/history', toMessage(4, 0, ['c1v3'], Date.now() - MINUTE_MS))
  expect(await countRows('boot = 4 AND live = 0')).toBe(2)
  expect(telemetry.states.find(4)).toBeUndefined()
})

test('a bad child is rejected with its reason and the others are accepted', async () => {
  const { send, counted } = start()
  const now = Date.now()
  const d = [
    { id: 'c1v1', ts: now, m: { 'temp.return': 40 } },
    { id: 'c2v1', ts: now, m: { 'temp.return': 40 } },
    { id: 'c1v2', ts: now + HOUR_MS, m: { 'temp.return': 40 } },
    { id: 'c1v2', ts: 1, m: { 'temp.return': 40 } },
    { id: 'c1v3', ts: now, m: { 'temp.return': 'warm' } },
    { id: 'c1v3', ts: now, m: { 'made.up': 1 } },
    { id: 'c1v3', ts: now, m: {} },
    { id: 'c1v3', ts: now, m: { 'made.up': 1, 'temp.supply': 51 } },
  ]
  await send('hx/v1/demo/c1/up/telemetry', JSON.stringify({ v: 1, boot: 5, seq: 0, ts: now, d }))
  expect(await countRows('boot = 5')).toBe(2)
  const reasons = ['unknown-device', 'future-instant', 'ancient-instant', 'wrong-schema', 'no-values']
  for (const reason of reasons) expect(await counted('isotherm_ingest_quarantined_total', reason)).toBe(1)
  expect(await counted('isotherm_ingest_quarantined_total', 'unknown-metric')).toBe(2)
})

test('a value outside the range of its metric is stored with the out-of-range bit', async () => {
  const { send } = start()
  const now = Date.now()
  const d = [{ id: 'c1v1', ts: now + 1, m: { 'temp.return': 130, 'temp.supply': 50 } }]
  await send('hx/v1/demo/c1/up/telemetry', JSON.stringify({ v: 1, boot: 6, seq: 0, ts: now, d }))
  expect(await countRows('boot = 6 AND quality = 4')).toBe(1)
  expect(await countRows('boot = 6 AND quality = 0')).toBe(1)
})

test.each([
  ['hx/v1/demo/nobody/up/telemetry', '{}', 'unknown-node'],
  ['hx/v1/other/c1/up/telemetry', '{}', 'unknown-node'],
  ['hx/v1/demo/c1/down/cmd', '{}', 'foreign-topic'],
  ['hx/v1/demo/c1/up/raw', '{"v":1}', 'wrong-schema'],
  ['hx/v1/demo/c1/up/raw', '', 'no-values'],
  ['hx/v1/demo/c1/up/telemetry', '{"v":1', 'malformed-json'],
  ['hx/v1/demo/c1/up/telemetry', '', 'malformed-json'],
  ['hx/v1/demo/c1/up/telemetry', `"${'x'.repeat(70_000)}"`, 'oversize'],
  ['hx/v1/demo/c1/up/telemetry', '{"v":2,"boot":1,"seq":1,"ts":1,"d":[]}', 'wrong-schema'],
  ['hx/v1/demo/c1/up/birth', '{"online":true}', 'wrong-schema'],
])('%s with %s is quarantined', async (topic, payload, reason) => {
  const { send, counted } = start()
  const before = await countRows('1')
  await send(topic, payload)
  expect(await counted('isotherm_ingest_quarantined_total', reason)).toBe(1)
  expect(await countRows('1')).toBe(before)
  const stored = await select(
    z.tuple([z.string(), z.coerce.number()]),
    `SELECT reason, size FROM quarantine ORDER BY received DESC LIMIT 1`,
  )
  expect(stored).toEqual([[reason, Buffer.byteLength(payload)]])
})

test('a message with rows that the store refuses is quarantined completely, and blocks no other', async () => {
  const { telemetry, send, counted, sent } = start()
  const now = Date.now()
  await client.command({ query: 'ALTER TABLE readings ADD CONSTRAINT none CHECK value != 13' })
  await client.command({ query: "ALTER TABLE raw_frames ADD CONSTRAINT none CHECK bytes != unhex('13')" })
  const toReadings = (seq: number, values: readonly number[]) => {
    // Each message has its own instant: the engine merges rows of the same one.
    const d = values.map((value, index) => ({
      id: `c1v${index + 1}`,
      ts: now + seq,
      m: { 'temp.room': value },
    }))
    return JSON.stringify({ v: 1, boot: 18, seq, ts: now, d })
  }
  const messages = [[20, 21], [13, 20, 13], [13], [22]].map((values, seq) => toReadings(seq, values))
  const toFrames = (seq: number, hex: readonly string[]) =>
    JSON.stringify({ v: 1, boot: 18, seq, ts: now, f: hex.map((bytes) => ({ hex: bytes })) })
  const frames = [toFrames(0, ['68', '13']), toFrames(1, ['16'])]
  // They arrive together, so one insert holds them all.
  await Promise.all([
    ...messages.map((message) => send('hx/v1/demo/c1/up/telemetry', message)),
    send('hx/v1/demo/c2/up/telemetry', toMessage(18, 0, ['c2v1'], now)),
    ...frames.map((message) => send('hx/v1/demo/c1/up/raw', message)),
  ])
  await client.command({ query: 'ALTER TABLE readings DROP CONSTRAINT none' })
  await client.command({ query: 'ALTER TABLE raw_frames DROP CONSTRAINT none' })
  const stored = 'SELECT seq, device, value FROM readings WHERE boot = 18 AND node = 1 ORDER BY seq, device'
  expect(await select(z.tuple([z.number(), z.number(), z.number()]), stored)).toEqual([
    [0, 2, 20],
    [0, 3, 21],
    [1, 3, 20],
    [3, 2, 22],
  ])
  expect(await countRows('boot = 18 AND node = 5')).toBe(2)
  const quarantined = "SELECT bytes FROM quarantine WHERE reason = 'not-storable'"
  const bytes = (await select(z.tuple([z.string()]), quarantined)).flat()
  expect(bytes.toSorted()).toEqual([messages[1], messages[2], frames[0]].toSorted())
  const [framesDone] = await select(
    z.tuple([z.coerce.number()]),
    'SELECT count() FROM raw_frames WHERE boot = 18',
  )
  expect(framesDone).toEqual([2])
  expect(telemetry.isHealthy()).toBe(true)
  // The gateway may delete all of them, and gets the watermark once.
  await expect.poll(() => sent).toContainEqual(['hx/v1/demo/c1/down/ack', '{"boot":18,"seq":3}'])
  for (const message of messages) await send('hx/v1/demo/c1/up/telemetry', message)
  expect(await counted('isotherm_ingest_duplicates_total')).toBe(4)
  // A restarted server knows that all of them are done.
  const next = start()
  await next.telemetry.restore()
  for (const message of messages) await next.send('hx/v1/demo/c1/up/telemetry', message)
  expect(await next.counted('isotherm_ingest_duplicates_total')).toBe(4)
  await next.telemetry.close(1_000)
  // Not if the former server ended before the rest was quarantined: the rest would be lost. A message that is stored in
  // part does not count as whole.
  for (const table of ['refused_messages', 'watermarks'])
    await client.command({ query: `TRUNCATE TABLE ${table}` })
  const again = start()
  await again.telemetry.restore()
  await again.send('hx/v1/demo/c1/up/telemetry', messages[1] ?? '')
  expect(await again.counted('isotherm_ingest_duplicates_total')).toBe(0)
  await Promise.all([telemetry.close(1_000), again.telemetry.close(1_000)])
})

test('a part that is nested too deeply to be serialised is quarantined with its message, and acknowledged', async () => {
  const { send, counted } = start()
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const now = Date.now()
  await send('hx/v1/demo/c1/up/telemetry', `{"v":1,"boot":19,"seq":0,"ts":${now},"d":[${deep}]}`)
  await send('hx/v1/demo/c1/up/raw', `{"v":1,"boot":19,"seq":0,"ts":${now},"f":[${deep}]}`)
  expect(await counted('isotherm_ingest_quarantined_total', 'wrong-schema')).toBe(2)
})

test('a topic that is cut inside a character is quarantined like any other', async () => {
  const { send } = start()
  const topic = `hx/v1/${'x'.repeat(249)}😀`
  await Promise.all([send(topic, '{}'), send('hx/v1/demo/c1/up/telemetry', 'beside it')])
  const [stored] = await select(
    z.tuple([z.string()]),
    "SELECT topic FROM quarantine WHERE reason = 'foreign-topic' ORDER BY received DESC LIMIT 1",
  )
  expect(stored?.[0]).toBe(`hx/v1/${'x'.repeat(249)}\ufffd`)
})

test('the quarantine is listed without the connections for inserts', async () => {
  await start().send('hx/v1/demo/nobody/up/telemetry', '{}')
  const storing = createClickhouse({ clickhouseUrl: 'http://127.0.0.1:1' })
  const { telemetry } = start([], storing)
  const query = { limiter: { page: 1, size: 1 } }
  const { total } = await telemetry.handlers.getQuarantine(query, createTestCall())
  expect(total).toBeGreaterThan(0)
  await storing.close()
})

test('only in demo mode gateways set the time factor: a real one could disable the rules for all others', async () => {
  const birth = JSON.stringify({ v: 1, online: true, boot: 1, ts: Date.now(), timeFactor: 1e9 })
  for (const [mode, expected] of [
    ['production', undefined],
    ['demo', 1e9],
  ] as const) {
    const { telemetry, send } = start([], client, 1_100, mode)
    await send('hx/v1/demo/c1/up/birth', birth)
    expect(telemetry.timeFactor()).toBe(expected)
    await telemetry.close(0)
  }
})

test('a gateway gets the number up to which all its messages are durable', async () => {
  const { telemetry, send, sent } = start()
  for (const seq of [0, 1, 2])
    await send('hx/v1/demo/c1/up/telemetry', toMessage(9, seq, ['c1v1'], Date.now()))
  await expect.poll(() => sent).toContainEqual(['hx/v1/demo/c1/down/ack', '{"boot":9,"seq":2}'])
  await telemetry.close(1_000)
})

test('a gateway gets the number up to which all its frame messages are durable, also after a restart', async () => {
  const { telemetry, send, sent } = start()
  const topic = 'hx/v1/demo/c1/up/raw'
  const ts = Date.now()
  const toFrames = (seq: number, hex: string) => JSON.stringify({ v: 1, boot: 20, seq, ts, f: [{ hex }] })
  await send(topic, toFrames(0, '68'))
  await send(topic, toFrames(1, '6'))
  await send(topic, toFrames(3, '16'))
  await send(topic, Buffer.from([0x68]))
  const watermark = ['hx/v1/demo/c1/down/ack', '{"boot":20,"raw":1}']
  await expect.poll(() => sent).toContainEqual(watermark)
  await telemetry.close(1_000)
  const again = start()
  await again.telemetry.restore()
  await again.send(topic, toFrames(1, '68'))
  await again.send(topic, toFrames(2, '68'))
  const newWatermark = ['hx/v1/demo/c1/down/ack', '{"boot":20,"raw":3}']
  await expect.poll(() => again.sent).toContainEqual(newWatermark)
  await again.telemetry.close(1_000)
})

test('back-fill beyond the retention is rejected with its reason, and the gateway may delete it', async () => {
  const { telemetry, send, sent, counted } = start()
  const now = Date.now()
  const topic = 'hx/v1/demo/c1/up/history'
  await send(topic, toMessage(15, 0, ['c1v1'], now - DAY_MS))
  const old = now - 1_100 * DAY_MS
  await send(topic, toMessage(15, 1, ['c1v1'], old - 60_000))
  await send(topic, toMessage(15, 2, ['c1v1'], old + 600_000))
  expect(await countRows('boot = 15')).toBe(4)
  expect(await counted('isotherm_ingest_quarantined_total', 'ancient-instant')).toBe(1)
  await expect.poll(() => sent).toContainEqual(['hx/v1/demo/c1/down/ack', '{"boot":15,"seq":2}'])
  await telemetry.close(1_000)
})

test('back-fill with the greatest possible number of months blocks nobody, and a clock at 1970 is rejected', async () => {
  const { telemetry, send, counted } = start([], client, 0)
  const now = new Date()
  const months = Array.from({ length: 119 }, (_, index) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - index, 15),
  )
  const toBackfill = (seq: number, instants: readonly number[]) => {
    const d = instants.map((ts) => ({ id: 'c1v1', ts, m: { rssi: -90 } }))
    return JSON.stringify({ v: 1, boot: 17, seq, ts: now.getTime(), d })
  }
  const backfill = [months.slice(0, 100), months.slice(100)].map((part, seq) => toBackfill(seq, part))
  // They arrive together, so one insert takes them all.
  await Promise.all([
    ...backfill.map((message) => send('hx/v1/demo/c1/up/history', message)),
    send('hx/v1/demo/c2/up/telemetry', toMessage(17, 0, ['c2v1'], now.getTime())),
  ])
  await send('hx/v1/demo/c1/up/history', toBackfill(2, [1, Date.UTC(2000, 0, 1)]))
  expect(await countRows('boot = 17 AND node = 1')).toBe(119)
  expect(await countRows('boot = 17 AND node = 5')).toBe(2)
  expect(await counted('isotherm_ingest_quarantined_total', 'ancient-instant')).toBe(2)
  expect(telemetry.isHealthy()).toBe(true)
  // A restarted server knows them, in all their months.
  const again = start([], client, 0)
  await again.telemetry.restore()
  for (const message of backfill) await again.send('hx/v1/demo/c1/up/history', message)
  expect(await again.counted('isotherm_ingest_duplicates_total')).toBe(2)
  await Promise.all([telemetry.close(1_000), again.telemetry.close(1_000)])
})

test('a gateway gets the watermark for a refused message, and again when it repeats the message', async () => {
  const { telemetry, send, sent } = start()
  const ancient = toMessage(16, 0, ['c1v1'], DAY_MS)
  const acks = () => sent.filter(([topic]) => topic.endsWith('/down/ack')).map(([, payload]) => payload)
  await send('hx/v1/demo/c1/up/history', ancient)
  await expect.poll(acks).toEqual(['{"boot":16,"seq":0}'])
  await send('hx/v1/demo/c1/up/history', ancient)
  await expect.poll(acks).toEqual(Array(2).fill('{"boot":16,"seq":0}'))
  await telemetry.close(1_000)
})

test('a message of which a later one replaced some readings is still known after a restart', async () => {
  const now = Date.now()
  const { send } = start()
  const both = toMessage(12, 0, ['c1v2', 'c1v3'], now)
  await send('hx/v1/demo/c1/up/telemetry', both)
  await send('hx/v1/demo/c1/up/telemetry', toMessage(12, 1, ['c1v3'], now))
  await client.command({ query: 'OPTIMIZE TABLE readings FINAL' })
  expect(await countRows('boot = 12 AND seq = 0')).toBe(2)
  const again = start()
  await again.telemetry.restore()
  await again.send('hx/v1/demo/c1/up/telemetry', both)
  expect(await again.counted('isotherm_ingest_duplicates_total')).toBe(1)
})

test('a gateway may delete a message of which nothing is stored, also after a restart', async () => {
  const now = Date.now()
  const toFrames = (seq: number, frame: object) =>
    JSON.stringify({ v: 1, boot: 90, seq, ts: now, f: [frame] })
  const frames = [toFrames(0, { hex: '16' }), toFrames(1, { id: 'c2v2' }), toFrames(2, { hex: '17' })]
  const readings = [['c2v2'], ['nobody'], ['c2v3']].map((names, seq) => toMessage(90, seq, names, now + seq))
  const sendAll = async ({ send }: ReturnType<typeof start>) => {
    for (const message of readings) await send('hx/v1/demo/c2/up/telemetry', message)
    for (const message of frames) await send('hx/v1/demo/c2/up/raw', message)
  }
  const first = start()
  await sendAll(first)
  await first.telemetry.close(1_000)
  const again = start()
  await again.telemetry.restore()
  await again.send('hx/v1/demo/c2/up/telemetry', readings[0] ?? '')
  await again.send('hx/v1/demo/c2/up/raw', frames[0] ?? '')
  for (const ack of ['{"boot":90,"seq":2}', '{"boot":90,"raw":2}'])
    await expect.poll(() => again.sent).toContainEqual(['hx/v1/demo/c2/down/ack', ack])
  await again.telemetry.close(1_000)
})
