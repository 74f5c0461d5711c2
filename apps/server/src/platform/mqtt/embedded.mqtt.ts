import { type GatewayName, parseMqttUsername, toMqttUsername } from '@isotherm/contract/mqtt'
import { type Broker, type BrokerClient, startBroker } from '@isotherm/engines/broker/broker'
import type { Config } from '../config.ts'
import type { BrokerPort, FieldHandlers } from './broker-port.ts'
import {
  findClaimedGateway,
  type GatewayAccess,
  judgeSignIn,
  mayPublish,
  maySubscribe,
  type SignInRefusal,
} from './gateway-access.ts'

/** Name of a gateway's session: serials are unique per company only. */
const toSession = ({ tenant, gateway }: GatewayName): string => toMqttUsername(tenant, gateway)

/** A gateway that signed in, with the version of the password it used. */
interface SignedIn extends GatewayName {
  readonly version: number
}

const isAccepted = ({ state }: GatewayAccess): boolean => state === 'in-use' || state === 'unknown'

/** The broker in this process. It acknowledges a message to its gateway once the message is durable. */
export function createEmbeddedBroker(
  config: Pick<Config['mqtt'], 'host' | 'port' | 'maxConnections' | 'secret'>,
): BrokerPort {
  let broker: Broker | undefined
  /** Gateways that signed in, by session, which belongs to the user name. */
  const signedIn = new Map<string, SignedIn>()

  /** True, or why the client may not sign in. */
  async function authenticate(
    findAccess: FieldHandlers['findAccess'],
    client: BrokerClient,
    password: string,
  ): Promise<true | SignInRefusal> {
    const name = findClaimedGateway(client.clientId, client.user)
    if (typeof name === 'string') return name
    const access = await findAccess(name)
    const refusal = judgeSignIn(config.secret, name, Buffer.from(password), access)
    if (refusal !== undefined) return refusal
    signedIn.set(toSession(name), { ...name, version: access.version })
    return true
  }

  /** Disconnects a client whose access changed between its sign-in and its connection. */
  async function checkAgain(findAccess: FieldHandlers['findAccess'], session: string): Promise<void> {
    const gateway = signedIn.get(session)
    if (!gateway) return
    const access = await findAccess(gateway)
    if (!isAccepted(access) || access.version !== gateway.version) broker?.disconnect(session)
  }

  return {
    async start(handlers) {
      const { findAccess } = handlers
      broker = await startBroker({
        host: config.host,
        port: config.port,
        maxConnections: config.maxConnections,
        toSession(clientId, user) {
          const name = parseMqttUsername(user)
          return name ? toSession(name) : clientId
        },
        authenticate: (client, password) => authenticate(findAccess, client, password),
        mayPublish(client, topic) {
          const identity = signedIn.get(client.id)
          return identity !== undefined && mayPublish(identity, topic)
        },
        maySubscribe(client, filter) {
          const identity = signedIn.get(client.id)
          return identity !== undefined && maySubscribe(identity, filter)
        },
        store: handlers.store,
        onConnected({ id }) {
          // Without the registry the answer is unknown; a changed access is also announced by `disconnect`.
          checkAgain(findAccess, id).catch(() => undefined)
        },
        onDelivered: ({ topic, payload }) => handlers.onDelivered(topic, payload),
        onRefused(reason, detail, client) {
          const name = parseMqttUsername(client?.user ?? '')
          handlers.onRefused({
            reason,
            detail,
            tenant: name?.tenant ?? '',
            gateway: name?.gateway ?? '',
            user: client?.user ?? '',
            address: client?.address ?? '',
          })
        },
      })
    },
    get port() {
      return broker?.port
    },
    isReady: () => broker !== undefined,
    // Sessions end with this process: a message to an offline gateway is lost.
    isConnected: (name) => broker?.isConnected(toSession(name)) ?? false,
    disconnect: (name) => broker?.disconnect(toSession(name)),
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
