import { type Broker, startBroker } from '@isotherm/engines/broker/broker'
import type { Config } from '../config.ts'
import type { BrokerPort } from './broker-port.ts'
import { findGatewayIdentity, type GatewayIdentity, mayPublish, maySubscribe } from './gateway-access.ts'

/** The broker in this process. It acknowledges a message to its gateway once the message is durable. */
export function createEmbeddedBroker(config: Pick<Config['mqtt'], 'host' | 'port' | 'secret'>): BrokerPort {
  let broker: Broker | undefined
  /** Gateways that signed in, by client id. The client id belongs to the user name. */
  const identities = new Map<string, GatewayIdentity>()

  return {
    async start(handlers) {
      broker = await startBroker({
        host: config.host,
        port: config.port,
        authenticate(client, password) {
          const identity = findGatewayIdentity(config.secret, client.id, client.user, Buffer.from(password))
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
        onRefused: (reason, detail, client) =>
          handlers.onRefused({ reason, detail, gateway: client?.id ?? '' }),
      })
    },
    get port() {
      return broker?.port
    },
    isReady: () => broker !== undefined,
    // Sessions end with this process: a message to an offline gateway is lost.
    isConnected: (gateway) => broker?.isConnected(gateway) ?? false,
    async publish(topic, payload, qos) {
      if (!broker) throw new Error('the broker is not started')
      await broker.publish({ topic, payload: Buffer.from(payload), qos, retain: false })
    },
    async close() {
      const closing = broker
      broker = undefined
      await closing?.close()
    },
  }
}
