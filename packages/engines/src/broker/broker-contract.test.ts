/** Requirements of the product on any broker; tests the embedded one or, with MQTT_URL, a real one. */
import { randomBytes } from 'node:crypto'
import mqtt from 'mqtt'
import { expect, test } from 'vitest'
import { startBroker } from './broker.ts'

test('a QoS 1 message reaches a subscriber and is acknowledged, a retained one reaches a later subscriber', async () => {
  const broker = process.env.MQTT_URL
    ? undefined
    : await startBroker({
        host: '127.0.0.1',
        port: 0,
        authenticate: () => true,
        mayPublish: () => true,
        maySubscribe: () => true,
        store: async () => {},
      })
  const topic = `test/${randomBytes(6).toString('hex')}`
  const connect = () => mqtt.connectAsync(process.env.MQTT_URL ?? `mqtt://127.0.0.1:${broker?.port}`)
  const client = await connect()
  const first = new Promise<string>((resolve) =>
    client.once('message', (_, payload) => resolve(payload.toString())),
  )
  await client.subscribeAsync(topic, { qos: 1 })
  await client.publishAsync(topic, '供水', { qos: 1, retain: true })
  expect(await first).toBe('供水')
  const late = await connect()
  const acknowledged = new Promise<boolean>((resolve) =>
    late.once('message', (_t, _p, packet) => resolve(packet.retain)),
  )
  await late.subscribeAsync(topic, { qos: 1 })
  expect(await acknowledged).toBe(true)
  await client.publishAsync(topic, '', { qos: 1, retain: true })
  await Promise.all([client.endAsync(), late.endAsync()])
  await broker?.close()
})
