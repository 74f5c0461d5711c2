import {
  connectionToken,
  type GatewayName,
  type LoginMessage,
  parseMqttUsername,
  toDownTopic,
  toMqttUsername,
} from '@isotherm/contract/mqtt'
import { type Broker, type BrokerClient, startBroker } from '@isotherm/engines/broker/broker'
import { defaultPendingLimits } from '@isotherm/engines/broker/pending-connections'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { BrokerPort, FieldHandlers } from './broker-port.ts'
import {
  findClaimedGateway,
  type GatewayAccess,
  judgeSignIn,
  mayPublish,
  maySubscribe,
  type SignInRefusal,
  toGatewayPassword,
} from './gateway-access.ts'
import { judgeCertificate } from './tls/judge-certificate.ts'
import { type RenewedTls, renewTls } from './tls/renew-tls.ts'
import { readTlsFiles } from './tls/tls-files.ts'

/** Name of a gateway's session: serials are unique per company only. */
const toSession = ({ tenant, gateway }: GatewayName): string => toMqttUsername(tenant, gateway)

/** A gateway that signed in, with the version of its password. */
interface SignedIn extends GatewayName {
  readonly version: number
  /** It has used a one-time token, and gets its password. */
  readonly isByToken: boolean
  /** Its certificate stood for its password. */
  readonly isByCertificate: boolean
}

const isAccepted = ({ state }: GatewayAccess): boolean => state === 'in-use' || state === 'unknown'

type EmbeddedConfig = Pick<
  Config['mqtt'],
  'host' | 'port' | 'isPlain' | 'tls' | 'maxConnections' | 'maxPending' | 'secret'
>

/** Whether the certificate of a gateway may stand for its password. */
const takesCertificate = ({ state, hasConcentrator = false }: GatewayAccess): boolean =>
  state === 'in-use' && !hasConcentrator

/** Whether the certificate is from before the last revocation of the gateway: a thief with its key stays out. */
const isEndedByRevocation = ({ certificate }: BrokerClient, access: GatewayAccess): boolean =>
  access.state === 'in-use' &&
  certificate !== undefined &&
  access.certificatesFrom !== undefined &&
  certificate.issuedAt <= access.certificatesFrom

/** The broker in this process. It acknowledges a message to its gateway once the message is durable. */
export function createEmbeddedBroker(config: EmbeddedConfig, clock: Clock, log: Log): BrokerPort {
  let broker: Broker | undefined
  let renewing: RenewedTls | undefined
  /** Gateways that signed in, by session, which belongs to the user name. */
  const signedIn = new Map<string, SignedIn>()

  /** True, or why the client may not sign in. */
  async function authenticate(
    { findAccess, redeemToken, onPasswordUsed }: FieldHandlers,
    client: BrokerClient,
    password: string,
  ): Promise<true | SignInRefusal> {
    const name = findClaimedGateway(client.clientId, client.user)
    if (typeof name === 'string') return name
    const doubt = judgeCertificate(name, client, config.tls?.isCertificateRequired ?? false)
    if (doubt !== undefined) return doubt
    const access = await findAccess(name)
    const { version } = access
    if (isEndedByRevocation(client, access)) return 'revoked-certificate'
    const isByToken = isAccepted(access) && connectionToken.safeParse(password).success
    const refusal = isByToken
      ? await redeemToken({ ...name, token: password, version, address: client.address })
      : judgeSignIn(config.secret, name, Buffer.from(password), access)
    // Only a registered gateway needs no password: the messages of others would fill the quarantine without one. The certificate
    // was judged before.
    const isByCertificate =
      !isByToken && refusal !== undefined && client.certificate !== undefined && takesCertificate(access)
    if (refusal !== undefined && !isByCertificate) return refusal
    if (refusal === undefined && !isByToken) onPasswordUsed(name)
    signedIn.set(toSession(name), { ...name, version, isByToken, isByCertificate })
    return true
  }

  /** Sends its password to a gateway that signed in with a token. Only its own session can subscribe to the topic. */
  async function sendLogin(session: string, filters: readonly string[]): Promise<void> {
    const gateway = signedIn.get(session)
    if (!gateway?.isByToken) return
    const topic = toDownTopic(gateway.tenant, gateway.gateway, 'login')
    if (!filters.some((filter) => filter === topic || /\/down\/[#+]$/.test(filter))) return
    const password = toGatewayPassword(config.secret, gateway, gateway.version)
    const message: LoginMessage = { v: 1, username: toSession(gateway), password }
    const payload = Buffer.from(JSON.stringify(message))
    // At QoS 1 it would wait in a persistent session, and an old password would come before the present one.
    await broker?.publish({ topic, payload, qos: 0, retain: false })
  }

  /** Disconnects a client whose access changed between its sign-in and its connection. */
  async function checkAgain(findAccess: FieldHandlers['findAccess'], session: string): Promise<void> {
    const gateway = signedIn.get(session)
    if (!gateway) return
    const access = await findAccess(gateway)
    const isStillIn = gateway.isByCertificate ? takesCertificate(access) : isAccepted(access)
    if (!isStillIn || access.version !== gateway.version) broker?.disconnect(session)
  }

  return {
    isEmbedded: true,
    async start(handlers) {
      const { findAccess } = handlers
      const { tls } = config
      const files = tls && (await readTlsFiles(tls))
      broker = await startBroker({
        host: config.host,
        port: config.isPlain ? config.port : undefined,
        tls: tls && files && { port: tls.port, material: files.material },
        maxConnections: config.maxConnections,
        pending: {
          ...defaultPendingLimits,
          max: config.maxPending,
          maxPerNetwork: Math.ceil(config.maxPending / 2),
        },
        toSession(clientId, user) {
          const name = parseMqttUsername(user)
          return name ? toSession(name) : clientId
        },
        authenticate: (client, password) => authenticate(handlers, client, password),
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
        onSubscribed({ id }, filters) {
          // Without it the gateway subscribes or connects again.
          sendLogin(id, filters).catch(() => undefined)
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
      if (tls && files) renewing = renewTls({ config: tls, first: files, broker, clock, log })
      if (tls?.isCertificateRequired && config.isPlain)
        log.warn('gateways can still sign in without a certificate at the port without TLS')
    },
    // 0: there is no such port.
    get port() {
      return broker?.port || undefined
    },
    get tlsPort() {
      return broker?.tlsPort || undefined
    },
    get tls() {
      if (!renewing || !config.tls) return undefined
      const { expiresAt, revocationsEnd } = renewing.present
      return {
        certificateEndsAt: expiresAt,
        isCertificateRequired: config.tls.isCertificateRequired,
        ...(revocationsEnd === undefined ? {} : { listEndsAt: revocationsEnd }),
      }
    },
    get connections() {
      return broker && { signedIn: broker.connectedClients, pending: broker.pendingConnections }
    },
    isReady: () => broker !== undefined,
    // Sessions end with this process: a message to an offline gateway is lost.
    isConnected: (name) => broker?.isConnected(toSession(name)) ?? false,
    disconnect: (name) => broker?.disconnect(toSession(name)),
    disconnectToken(name) {
      const session = toSession(name)
      // Also one that has signed in and is not connected yet.
      if (signedIn.get(session)?.isByToken) broker?.disconnectWhere(({ id }) => id === session)
    },
    async publish(topic, payload, qos) {
      if (!broker) throw new Error('the broker is not started')
      await broker.publish({ topic, payload: Buffer.from(payload), qos, retain: false })
    },
    async close() {
      const closing = broker
      broker = undefined
      await renewing?.close()
      await closing?.close()
    },
  }
}
