import { createLineParser } from '@isotherm/codecs/stream/line-parser'
import { type Broker, startBroker } from '@isotherm/engines/broker/broker'
import { connectAsync } from 'mqtt'
import { answerOnBus, type SimulatedDevice } from '../../field/simulated-devices.testkit.ts'

export const UP = 'hx/v1/heat/867725030000017/up/raw'
export const DOWN = 'hx/v1/heat/867725030000017/down/raw'

/** The other side of the driver: a broker, and on it a transparent unit with the devices of its bus, which publishes at QoS 1. */
export async function simulateMqttUnit(devices: readonly SimulatedDevice[]) {
  const broker: Broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    authenticate: ({ user }, password) => user === 'dtu' && password === 'secret',
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async () => undefined,
  })
  const url = `mqtt://127.0.0.1:${broker.port}`
  const client = await connectAsync(url, { clientId: 'unit', username: 'dtu', password: 'secret' })
  const parser = createLineParser({ formats: ['cjt188', 'mbus', 'modbus-rtu'], direction: 'request' })
  const unit = {
    url,
    requests: 0,
    /** Messages in which an answer is published; undefined loses it. */
    distort: (answer: Uint8Array): readonly Uint8Array[] | undefined => [answer],
    say: (bytes: Uint8Array): Promise<unknown> => client.publishAsync(UP, Buffer.from(bytes), { qos: 1 }),
    retain: (bytes: Uint8Array): Promise<unknown> =>
      client.publishAsync(UP, Buffer.from(bytes), { qos: 1, retain: true }),
    cut: (clientId: string): void => broker.disconnect(clientId),
    isConnected: (clientId: string): boolean => broker.isConnected(clientId),
    async close(): Promise<void> {
      await client.endAsync(true)
      await broker.close()
    },
  }
  client.on('message', (_topic, payload) => {
    for (const { bytes } of parser.push(payload, performance.now())) {
      unit.requests++
      const answer = answerOnBus(devices, bytes)
      for (const piece of (answer && unit.distort(answer)) ?? []) void unit.say(piece)
    }
  })
  await client.subscribeAsync(DOWN, { qos: 1 })
  return unit
}
