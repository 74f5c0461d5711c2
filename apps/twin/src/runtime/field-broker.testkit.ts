import { createHmac } from 'node:crypto'
import {
  parseMqttUsername,
  parseUpTopic,
  toMqttUsername,
  toPasswordText,
  type UpTopic,
} from '@isotherm/contract/mqtt'
import { type Broker, type BrokerMessage, startBroker } from '@isotherm/engines/broker/broker'

/** A message of a gateway; `body` is its parsed JSON. */
export interface ReceivedMessage extends UpTopic {
  readonly body: unknown
}

export interface FieldBrokerOptions {
  readonly secret: string
  readonly port?: number
  /** The message is acknowledged to its gateway when this promise has settled. */
  readonly receive: (received: ReceivedMessage) => void | Promise<void>
}

/** A broker in place of a server: gateways sign in with the secret, and can only publish and subscribe to their own topics. */
export const startFieldBroker = ({ secret, port = 0, receive }: FieldBrokerOptions): Promise<Broker> =>
  startBroker({
    host: '127.0.0.1',
    port,
    authenticate({ user }, password) {
      const name = parseMqttUsername(user)
      return (
        name !== undefined &&
        password === createHmac('sha256', secret).update(toPasswordText(name)).digest('hex')
      )
    },
    mayPublish: ({ user }, topic) => {
      const up = parseUpTopic(topic)
      return up !== undefined && user === toMqttUsername(up.tenant, up.gateway)
    },
    maySubscribe: ({ user }, filter) => filter.startsWith(`hx/v1/${user}/down/`),
    store: async ({ topic, payload }: BrokerMessage) => {
      const up = parseUpTopic(topic)
      if (up !== undefined) await receive({ ...up, body: JSON.parse(payload.toString()) })
    },
  })
