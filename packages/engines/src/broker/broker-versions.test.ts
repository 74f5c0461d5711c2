import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Broker, startBroker } from './broker.ts'

let broker: Broker
beforeAll(async () => {
  broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    authenticate: (_client, password) => password === 'right',
    mayPublish: () => true,
    maySubscribe: (_client, filter) => filter === 'own',
    store: async () => undefined,
  })
})
afterAll(() => broker.close())

const connect = (protocolVersion: 3 | 4 | 5, password = 'right') =>
  connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    protocolVersion,
    protocolId: protocolVersion === 3 ? 'MQIsdp' : 'MQTT',
    clientId: `v${protocolVersion}`,
    username: 'u',
    password,
    reconnectPeriod: 0,
  })

test.each([3, 4] as const)('a client of protocol level %s is accepted', async (version) => {
  const client = await connect(version)
  await client.publishAsync('up', 'text', { qos: 1 })
  await client.endAsync()
})

test('a client of MQTT 5 is refused with return code 1: unacceptable protocol version', async () => {
  await expect(connect(5)).rejects.toMatchObject({ code: 1 })
})

test('a wrong password is refused with return code 5, and a foreign subscription with SUBACK 128', async () => {
  await expect(connect(4, 'wrong')).rejects.toMatchObject({ code: 5 })
  const client = await connect(4)
  await expect(client.subscribeAsync('foreign', { qos: 1 })).rejects.toMatchObject({
    packet: { granted: [128] },
  })
  expect(client.connected).toBe(true)
  await client.endAsync()
})
