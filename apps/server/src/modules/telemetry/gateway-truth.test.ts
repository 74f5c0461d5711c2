import { endpoints } from '@isotherm/contract/endpoints/all'
import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { connectGateway } from '../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

const row = z.tuple([z.coerce.number(), z.number(), z.number()])

let server: TestServer
const clients: MqttClient[] = []
beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', ['pe-fmreal'], ['p'])
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)))
})
afterAll(() => server.stop())

async function connect(serial: string) {
  const connected = await connectGateway(server, serial, {
    reconnectPeriod: 0,
    will: {
      topic: `hx/v1/demo/${serial}/up/birth`,
      payload: Buffer.from(JSON.stringify({ v: 1, online: false, boot: 1, ts: 1 })),
      qos: 1,
      retain: true,
    },
  })
  clients.push(connected.client)
  return connected
}

/** A concentrator that reports one valve. Its clock is off by `offsetMs` (positive: it is slow). */
async function openField(serial: string, valve: string, boot = 1) {
  const { client, toTopic, send } = await connect(serial)
  const times: number[] = []
  client.on('message', (_topic, payload) => {
    times.push(z.object({ now: z.number() }).parse(JSON.parse(payload.toString())).now)
  })
  await client.subscribeAsync(toTopic('down/time'))
  let seq = 0
  return {
    client,
    times,
    birth: () => send('birth', { v: 1, online: true, boot, ts: Date.now() }),
    async report(offsetMs: number, openingPct: number) {
      const ts = Date.now() - offsetMs
      const d = [{ id: valve, ts, m: { 'valve.opening': openingPct } }]
      await send('telemetry', { v: 1, boot, seq: seq++, ts, d })
    },
  }
}

/** Instant, opening and quality of the stored readings of a valve, in order of opening. */
async function listStored(valve: string): Promise<z.infer<typeof row>[]> {
  const answer = await server.clickhouse.query({
    query: `SELECT toUnixTimestamp64Milli(ts), value, quality FROM readings
      WHERE device = {device: UInt32} ORDER BY value`,
    query_params: { device: await server.deviceId(valve) },
    format: 'JSONCompactEachRow',
  })
  return z.array(row).parse(await answer.json())
}

test('messages that a gateway sends together an hour later are not corrected: they were delayed', async () => {
  const { birth, report, times } = await openField('C-b2', 'V-b2u1')
  await birth()
  await expect.poll(() => times.length).toBeGreaterThan(0)
  for (let reading = 1; reading <= 30; reading += 1) await report(HOUR_MS, reading)
  const stored = await listStored('V-b2u1')
  expect(stored.map(([, , bits]) => bits)).toEqual(new Array(30).fill(0))
  for (const [ts] of stored) expect(Date.now() - ts).toBeGreaterThanOrEqual(HOUR_MS)
})

test('readings of a gateway whose clock is fast are quarantined until that is known, then corrected', async () => {
  const { report, times } = await openField('C-b10', 'V-b10u1')
  for (let reading = 1; reading <= 7; reading += 1) await report(-HOUR_MS, reading)
  const stored = await listStored('V-b10u1')
  expect(stored.map(([, opening, bits]) => [opening, bits])).toEqual([
    [5, 16],
    [6, 16],
    [7, 16],
  ])
  for (const [ts] of stored) expect(Math.abs(Date.now() - ts)).toBeLessThan(60_000)
  await expect.poll(() => times.length).toBeGreaterThan(0)
})

test('one message that is off by ten minutes does not affect the next messages of its gateway', async () => {
  const { report } = await openField('C-b3', 'V-b3u1')
  for (let reading = 1; reading <= 10; reading += 1) await report(reading === 6 ? 11 * MINUTE_MS : 0, reading)
  const stored = await listStored('V-b3u1')
  expect(stored.map(([, , bits]) => bits)).toEqual(new Array(10).fill(0))
})

async function readAbsence(valve: string) {
  const deviceId = await server.deviceId(valve)
  const tokens = await server.logIn('whole')
  const query = { nodes: [], kinds: ['valve'], limiter: { page: 1, size: 100 } }
  const { data } = await server.call(endpoints.getDataLastFromNodeList, query, tokens['ht-api'])
  const { datalist } = getDataLastFromNodeList.output.parse(data)
  const found = datalist.find((state) => state.deviceId === deviceId)
  return found && (found.absence ?? 'present')
}

test('when a connection breaks, the devices behind it are unknown until they report again', async () => {
  const first = await openField('C-b2', 'V-b2u2', 5)
  await first.birth()
  await first.report(0, 40)
  await vi.waitFor(async () => expect(await readAbsence('V-b2u2')).toBe('present'), { timeout: 30_000 })
  first.client.stream.destroy()
  await vi.waitFor(async () => expect(await readAbsence('V-b2u2')).toBe('unknown'), { timeout: 30_000 })
  const { send } = await connect('C-b2')
  const body = (ts: number) => ({ v: 1, boot: 6, ts })
  const ts = Date.now()
  await send('birth', { ...body(ts), online: true })
  await send('telemetry', { ...body(ts), seq: 0, d: [{ id: 'V-b2u2', ts, m: { 'valve.opening': 40 } }] })
  await vi.waitFor(async () => expect(await readAbsence('V-b2u2')).toBe('present'), { timeout: 30_000 })
})
