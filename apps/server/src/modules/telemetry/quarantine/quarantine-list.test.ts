import { endpoints } from '@isotherm/contract/endpoints/all'
import { getQuarantine } from '@isotherm/contract/endpoints/monitoring/quarantine'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectGateway } from '../../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { toPreview } from './quarantine-preview.ts'

let server: TestServer
const start = Date.now()

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('provider', ['ps-interfacesys'], [], 'provider')
  await server.createAccount('whole', ['pd-devdebug'], ['p'])
  await server.createAccount('stranger', ['pd-devdebug'], ['s2'])
  await send()
})
afterAll(() => server.stop())

/** A concentrator sends garbage, for a device that is not behind it, and to a topic that is not its own. */
async function send(): Promise<void> {
  const { client, send } = await connectGateway(server, 'C-b2', { reconnectPeriod: 0 })
  await send('telemetry', '{"温度": 45')
  await send('telemetry', Buffer.from([0x68, 0xff, 0x00, 0x16]))
  const d = [{ id: 'V-b3u1', m: { rssi: -60 } }]
  await send('telemetry', { v: 1, boot: 1, seq: 0, ts: Date.now(), d })
  const gone = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.publish('hx/v1/demo/C-b3/up/telemetry', '{}', { qos: 0 })
  await gone
  await client.endAsync(true)
}

async function listQuarantine(account: string, query: object = {}) {
  const tokens = await server.logIn(account)
  const { code, data } = await server.call(endpoints.getQuarantine, query, tokens['ht-api'])
  expect(code).toBeUndefined()
  return getQuarantine.output.parse(data)
}

test('rejected messages of a gateway are listed newest first, as text if they are text', async () => {
  await vi.waitFor(async () => expect((await listQuarantine('provider')).total).toBe(4), { timeout: 30_000 })
  const { datalist, total } = await listQuarantine('whole')
  expect(total).toBe(3)
  expect(datalist.map(({ receivedAt }) => receivedAt)).toEqual(
    datalist.map(({ receivedAt }) => receivedAt).toSorted((left, right) => right - left),
  )
  expect(datalist).toContainEqual(
    expect.objectContaining({
      topic: 'demo/C-b2/telemetry',
      node: 'C-b2',
      reason: 'malformed-json',
      preview: '{"温度": 45',
      isHex: false,
      size: 13,
      count: 1,
    }),
  )
  expect(datalist).toContainEqual(
    expect.objectContaining({ reason: 'malformed-json', preview: '68ff0016', isHex: true, size: 4 }),
  )
  expect(datalist).toContainEqual(
    expect.objectContaining({ reason: 'unknown-device', preview: '{"id":"V-b3u1","m":{"rssi":-60}}' }),
  )
})

test('foreign topics are only listed for a scope of everything, and a user of another station sees nothing', async () => {
  const { datalist } = await listQuarantine('provider', { reasons: ['foreign-topic'] })
  expect(datalist).toMatchObject([{ reason: 'foreign-topic', topic: expect.stringContaining('C-b3') }])
  expect(await listQuarantine('whole', { reasons: ['foreign-topic'] })).toEqual({ datalist: [], total: 0 })
  expect(await listQuarantine('stranger')).toEqual({ datalist: [], total: 0 })
})

test('the list is filtered by reason, gateway and time, and paged', async () => {
  expect((await listQuarantine('whole', { reasons: ['unknown-device'] })).total).toBe(1)
  expect((await listQuarantine('whole', { imei: 'C-b2' })).total).toBe(3)
  expect((await listQuarantine('whole', { imei: 'C-b10' })).total).toBe(0)
  expect((await listQuarantine('whole', { to: start - 1 })).total).toBe(0)
  const second = await listQuarantine('whole', { limiter: { page: 2, size: 2 } })
  expect([second.datalist.length, second.total]).toEqual([1, 3])
})

test.each([
  ['plain', Buffer.from('a\tb\n'), 'a\tb\n', false],
  ['a character that was cut', Buffer.from('度').subarray(0, 2), '', false],
  ['control characters', Buffer.from([1, 2]), '0102', true],
  ['bytes that are no text', Buffer.from([0xff, 0x41]), 'ff41', true],
])('%s has a readable preview', (_name, bytes, text, isHex) => {
  expect(toPreview(bytes)).toEqual({ text, isHex })
})
