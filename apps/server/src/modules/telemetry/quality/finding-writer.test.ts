import { endpoints } from '@isotherm/contract/endpoints/all'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { type ConnectedGateway, connectGateway } from '../../../testing/connect-gateway.testkit.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { createFindingWriter, type FindingWriterOptions } from './finding-writer.ts'
import {
  endFindings,
  listFindings,
  listOpenFindings,
  removeEndedFindings,
  startFindings,
} from './findings.pg.ts'

let server: TestServer
let gateway: ConnectedGateway
const start = Date.now() - 60 * MINUTE_MS

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', ['pd-caldevmanager'], ['p'])
  await server.createAccount('stranger', ['pd-caldevmanager'], ['s2'])
  gateway = await connectGateway(server, 'C-b2')
})
afterAll(async () => {
  await gateway.leave()
  await server.stop()
})

let seq = 0
/** One reading of a valve, some minutes after the start. */
const report = (minute: number, openingPct: number, flowM3h: number) =>
  gateway.send('telemetry', {
    v: 1,
    boot: 1,
    seq: seq++,
    ts: Date.now(),
    d: [
      {
        id: 'V-b2u1',
        ts: start + minute * MINUTE_MS,
        m: { 'valve.opening': openingPct, 'heat.flow': flowM3h },
      },
    ],
  })

async function request(account: string, query: object = {}) {
  const tokens = await server.logIn(account)
  const { code, data } = await server.call(endpoints.getFindings, query, tokens['ht-api'])
  expect(code).toBeUndefined()
  return getFindings.output.parse(data)
}

test('a finding is listed from its start to its end, for users who are granted the device', async () => {
  for (const minute of [0, 1, 2]) await report(minute, 0, 0.6)
  const deviceId = await server.deviceId('V-b2u1')
  await vi.waitFor(async () => expect((await request('whole')).total).toBe(1), { timeout: 30_000 })
  const [found] = (await request('whole', { isOpen: true, node: await server.nodeKey('b2') })).datalist
  expect(found).toMatchObject({
    deviceId,
    imei: 'V-b2u1',
    kind: 'valve',
    rule: 'closed-valve',
    since: start,
    detail: { openingPct: 0, flowM3h: 0.6 },
  })
  expect(found?.nestaddr).toContain('二号楼')
  expect(await request('stranger')).toEqual({ datalist: [], total: 0 })
  for (let minute = 3; minute < 9; minute += 1) await report(minute, 30, 0.6)
  await vi.waitFor(async () => expect((await request('whole', { isOpen: true })).total).toBe(0), {
    timeout: 30_000,
  })
  const [ended] = (await request('whole', { rules: ['closed-valve'], deviceIds: [deviceId] })).datalist
  expect(ended?.until).toBe(start + 7 * MINUTE_MS)
  expect((await request('whole', { to: start })).total).toBe(0)
  expect((await request('whole', { from: start + 8 * MINUTE_MS })).total).toBe(0)
  expect((await request('whole', { from: start + 7 * MINUTE_MS, to: start + 9 * MINUTE_MS })).total).toBe(1)
})

/** A writer to the database of the test. */
const createWriter = (options: Partial<FindingWriterOptions> = {}) =>
  createFindingWriter({
    start: (changes) => startFindings(server.db, changes),
    end: (ends) => endFindings(server.db, ends),
    clock: createTestClock(),
    log: createLog({ logLevel: 'silent' }),
    ...options,
  })

test('a finding of several replicas is stored once, and one of them notifies', async () => {
  const deviceId = await server.deviceId('V-b2u2')
  const reported: number[] = []
  const replicas = [0, 1, 2].map((replica) => {
    const findings = createWriter()
    findings.onChanged((changes) => reported.push(...changes.map(() => replica)))
    return findings
  })
  for (const { sink } of replicas) {
    sink.open(deviceId, 'sensor', 1_000, { sensor: 'supply', valueC: Number.NaN })
    sink.event(deviceId, 'register', 2_000, { kind: 'rollover' })
    sink.close(deviceId, 'sensor', 3_000)
  }
  await Promise.all(replicas.map((findings) => findings.flush()))
  const query = { paths: undefined, deviceIds: [deviceId], rules: undefined, from: undefined, to: undefined }
  const { datalist } = await listFindings(server.db, scopeOfEverything, {
    ...query,
    isOpen: false,
    limiter: { page: 1, size: 9 },
  })
  expect(datalist.map(({ rule, since, until, detail }) => [rule, since, until, detail])).toEqual([
    ['register', 2_000, 2_000, { kind: 'rollover' }],
    ['sensor', 1_000, 3_000, { sensor: 'supply' }],
  ])
  expect(reported).toHaveLength(3)
})

test('a finding of a removed device is left out, and findings that could not be stored are stored later', async () => {
  let failures = 1
  const findings = createWriter({
    async start(changes) {
      failures -= 1
      if (failures >= 0) throw new Error('the database is away')
      return startFindings(server.db, changes)
    },
  })
  const deviceId = await server.deviceId('V-b10u1')
  const reported: number[] = []
  findings.onChanged((changes) => reported.push(...changes.map((change) => change.deviceId)))
  findings.sink.open(999_999, 'range', 1_000, {})
  findings.sink.open(deviceId, 'range', 1_000, {})
  await findings.flush()
  expect(reported).toEqual([])
  await findings.flush()
  expect(reported).toEqual([deviceId])
  expect(await listOpenFindings(server.db)).toContainEqual({
    deviceId,
    rule: 'range',
    since: 1_000,
    detail: {},
  })
})

test('findings that ended before an instant are removed, the oldest first, up to a limit', async () => {
  const deviceId = await server.deviceId('V-b3u1')
  const toFinding = (since: number, until?: number) => ({
    deviceId,
    rule: 'register' as const,
    since,
    detail: {},
    ...(until === undefined ? {} : { until }),
  })
  // A finding stays open until it is ended, whatever its age.
  await startFindings(server.db, [
    toFinding(1),
    toFinding(2, 500),
    toFinding(3, 400),
    toFinding(4, 2_000),
    toFinding(600, 999),
  ])
  const removeAll = async (before: number, limit: number) => {
    const removed = await removeEndedFindings(server.db, before, limit)
    const rows = await server.db
      .selectFrom('telemetry_finding')
      .select('since_ms')
      .where('device_id', '=', deviceId)
      .orderBy('since_ms')
      .execute()
    return { removed, left: rows.map(({ since_ms }) => since_ms) }
  }
  expect(await removeAll(999, 1)).toEqual({ removed: 1, left: [1, 3, 4, 600] })
  expect(await removeAll(999, 9)).toEqual({ removed: 1, left: [1, 4, 600] })
  expect(await removeAll(999, 9)).toEqual({ removed: 0, left: [1, 4, 600] })
})

test('a finding that the database always refuses is dropped, and the others are stored', async () => {
  const since = Date.now()
  const deviceId = await server.deviceId('V-b3u1')
  const findings = createWriter()
  findings.sink.open(deviceId, 'range', since, {})
  findings.sink.open(deviceId, 'frozen', since + 0.5, {})
  findings.sink.open(deviceId, 'jump', since, {})
  await findings.flush()
  findings.sink.close(deviceId, 'range', since + 1_000)
  await findings.flush()
  await findings.close()
  const stored = await server.db
    .selectFrom('telemetry_finding')
    .select(['rule', 'since_ms', 'until_ms'])
    .where('device_id', '=', deviceId)
    .where('since_ms', '>=', since)
    .orderBy('rule')
    .execute()
  expect(stored).toEqual([
    { rule: 'jump', since_ms: since, until_ms: null },
    { rule: 'range', since_ms: since, until_ms: since + 1_000 },
  ])
})
