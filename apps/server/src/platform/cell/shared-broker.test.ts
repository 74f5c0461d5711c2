import { once } from 'node:events'
import { createServer } from 'node:net'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { Aedes } from 'aedes'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createRegistry, createRegistryBeside } from '../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

/** An unmodified broker with MQTT 3.1.1, and two servers on it that serve one company each. */
let url: string
let demo: TestServer
let other: TestServer
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const broker = await Aedes.createBroker()
  const listener = createServer(broker.handle).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  closers.unshift(() => new Promise<void>((resolve) => broker.close(() => listener.close(() => resolve()))))
  const address = listener.address()
  url = `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const settingsOf = (tenants: string) => ({
    ISOTHERM_TENANTS: tenants,
    // The same name: each cell has a session of its own all the same.
    MQTT_URL: `${url}?version=4&client=here`,
  })
  demo = await startTestServer({
    settings: settingsOf('demo'),
    registries: [createRegistry(), createRegistryBeside('other')],
  })
  closers.unshift(() => demo.stop())
  other = await startTestServer({ settings: settingsOf('other'), beside: demo })
  closers.unshift(() => other.stop())
})
afterAll(async () => {
  for (const close of closers) await close()
})

const count = async (table: string): Promise<number> => {
  const answer = await demo.clickhouse.query({
    query: `SELECT count() FROM ${table}`,
    format: 'JSONCompactEachRow',
  })
  return z.array(z.tuple([z.coerce.number()])).parse(await answer.json())[0]?.[0] ?? 0
}

test('two servers on one broker each store the messages of their company, once, and quarantine no others', async () => {
  const client = await connectAsync(url)
  closers.unshift(() => client.endAsync(true))
  const acknowledged: string[] = []
  client.on('message', (topic) => acknowledged.push(topic))
  await client.subscribeAsync('hx/v1/+/+/down/ack')
  const beganMs = Date.now()
  const send = (tenant: string, serial: string, seq: number) => {
    // Readings of a metric with equal times are one reading.
    const ts = beganMs + seq
    const message = { v: 1, boot: 1, seq, ts, d: [{ id: 'R-b2u1', ts, m: { 'temp.room': 20 } }] }
    return client.publishAsync(`hx/v1/${tenant}/${serial}/up/telemetry`, JSON.stringify(message), { qos: 1 })
  }
  await send('third', 'C-b2', 0)
  for (const tenant of ['demo', 'other']) for (const seq of [0, 1]) await send(tenant, 'C-b2', seq)
  // A stranger of a served company is quarantined by its server, after everything before.
  for (const tenant of ['demo', 'other']) await send(tenant, 'C-stranger', 0)
  await expect.poll(() => count('readings')).toBe(4)
  await expect.poll(() => count("quarantine WHERE reason = 'unknown-node'")).toBe(2)
  expect(await count('quarantine')).toBe(2)
  await expect
    .poll(() => new Set(acknowledged))
    .toEqual(new Set(['hx/v1/demo/C-b2/down/ack', 'hx/v1/other/C-b2/down/ack']))
  expect(await count('readings')).toBe(4)
})

const order = async (server: TestServer, deviceId: number | undefined) =>
  server.call(
    endpoints.publishMqCtlCmd,
    { targets: [{ deviceId, openingPct: 40 }], reason: 'test' },
    (await server.logIn('whole'))['ht-api'],
  )

test('a command leaves by the server of its company only', async () => {
  await demo.createAccount('whole', ['pe-fmcontrol'], [], 'provider')
  const device = await connectAsync(url)
  closers.unshift(() => device.endAsync(true))
  const sent: string[] = []
  device.on('message', (topic) => sent.push(topic))
  await device.subscribeAsync('hx/v1/+/+/down/cmd', { qos: 1 })
  for (const [server, tenant] of [
    [other, 'other'],
    [demo, 'demo'],
  ] as const) {
    const deviceId = server.devices.directory.find(tenant, 'V-b2u1')?.id
    expect((await order(server, deviceId)).code).toBeUndefined()
    await expect.poll(() => sent.at(-1)).toBe(`hx/v1/${tenant}/C-b2/down/cmd`)
  }
  // The other server refuses an order to a device that it does not know.
  const foreign = demo.devices.directory.find('demo', 'V-b2u1')?.id
  expect((await order(other, foreign)).code).toBe('device.not-found')
  expect(sent).toEqual(['other', 'demo'].map((tenant) => `hx/v1/${tenant}/C-b2/down/cmd`))
})
