import { parseUpTopic } from '@isotherm/contract/mqtt'
import { startBroker } from '@isotherm/engines/broker'
import type { Config } from '../config.ts'
import type { BrokerPort, FieldHandlers } from './broker-port.ts'
import { isDevice, mayPublish, maySubscribe } from './device-access.ts'

/** The broker inside this process: a device's PUBACK waits for `handlers.store`. */
export async function startEmbeddedBroker(
  config: Pick<Config, 'mqtt'>,
  handlers: FieldHandlers,
): Promise<BrokerPort> {
  let ready = true
  const broker = await startBroker({
    host: config.mqtt.host,
    port: config.mqtt.port,
    authenticate: (client, password) => isDevice(config.mqtt.secret, client.id, client.user, password),
    mayPublish: (client, topic) => mayPublish(client.user, topic),
    maySubscribe: (client, filter) => maySubscribe(client.user, filter),
    async store(message) {
      const topic = parseUpTopic(message.topic)
      if (topic) await handlers.store({ topic, payload: message.payload })
      else handlers.onRefused('unknown-topic')
    },
    onDelivered: (message) => handlers.onDelivered(message.topic, message.payload),
    onRefused: (reason) => handlers.onRefused(reason),
  })
  return {
    port: broker.port,
    isReady: () => ready,
    publish: (topic, payload, qos) =>
      broker.publish({ topic, payload: Buffer.from(payload), qos, retain: false }),
    async close() {
      ready = false
      await broker.close()
    },
  }
}
