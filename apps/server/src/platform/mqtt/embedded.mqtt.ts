import { type Broker, startBroker } from '@isotherm/engines/broker'
import type { Config } from '../config.ts'
import type { BrokerPort } from './broker-port.ts'
import { findNodeIdentity, mayPublish, maySubscribe, type NodeIdentity } from './gateway-access.ts'

/** The broker in this process: a device is acknowledged when its message is durable, by the broker itself. */
export function createEmbeddedBroker(config: Pick<Config['mqtt'], 'host' | 'port' | 'secret'>): BrokerPort {
  let broker: Broker | undefined
  /** Who signed in, by client id; the id is bound to the user name. */
  const identities = new Map<string, NodeIdentity>()

  return {
    async start(handlers) {
      broker = await startBroker({
        host: config.host,
        port: config.port,
        authenticate(client, password) {
          const identity = findNodeIdentity(config.secret, client.id, client.user, Buffer.from(password))
          if (identity) identities.set(client.id, identity)
          return identity !== undefined
        },
        mayPublish(client, topic) {
          const identity = identities.get(client.id)
          return identity !== undefined && mayPublish(identity, topic)
        },
        maySubscribe(client, filter) {
          const identity = identities.get(client.id)
          return identity !== undefined && maySubscribe(identity, filter)
        },
        store: handlers.store,
        onDelivered: ({ topic, payload }) => handlers.onDelivered(topic, payload),
        onRefused: (reason, detail, client) => handlers.onRefused({ reason, detail, node: client?.id ?? '' }),
      })
    },
    get port() {
      return broker?.port
    },
    isReady: () => broker !== undefined,
    // Its sessions die with this process: what is published to nobody is kept by nobody.
    isConnected: (node) => broker?.isConnected(node) ?? false,
    async publish(topic, payload, qos) {
      if (!broker) throw new Error('the broker is not there')
      await broker.publish({ topic, payload: Buffer.from(payload), qos, retain: false })
    },
    async close() {
      const closing = broker
      broker = undefined
      await closing?.close()
    },
  }
}
