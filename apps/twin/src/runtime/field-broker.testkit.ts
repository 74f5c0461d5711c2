import { createHmac } from 'node:crypto'
import { parseUpTopic, toMqttUsername, type UpTopic } from '@isotherm/contract/mqtt'
import { type Broker, type BrokerMessage, startBroker } from '@isotherm/engines/broker/broker'

/** What a gateway said. `body` is its JSON. */
export interface Heard extends UpTopic {
  readonly body: unknown
}

export interface FieldBrokerOptions {
  readonly secret: string
  readonly port?: number
  /** A message counts as stored, and its gateway hears so, when this has settled. */
  readonly hear: (heard: Heard) => void | Promise<void>
}

/** What a field finds where a server would be: gateways sign in by the secret, and each speaks and listens for itself only. */
export const startFieldBroker = ({ secret, port = 0, hear }: FieldBrokerOptions): Promise<Broker> =>
  startBroker({
    host: '127.0.0.1',
    port,
    authenticate: ({ user }, password) =>
      password === createHmac('sha256', secret).update(user).digest('hex'),
    mayPublish: ({ user }, topic) => {
      const up = parseUpTopic(topic)
      return up !== undefined && user === toMqttUsername(up.tenant, up.gateway)
    },
    maySubscribe: ({ user }, filter) => filter.startsWith(`hx/v1/${user.replace(':', '/')}/down/`),
    store: async ({ topic, payload }: BrokerMessage) => {
      const up = parseUpTopic(topic)
      if (up !== undefined) await hear({ ...up, body: JSON.parse(payload.toString()) })
    },
  })
