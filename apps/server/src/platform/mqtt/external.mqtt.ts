import { hostname } from 'node:os'
import { connect, type IClientPublishOptions, type MqttClient } from 'mqtt'
import type { Cell } from '../cell/cell.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { BrokerPort, FieldHandlers, IncomingMessage, RequestProperties } from './broker-port.ts'
import { listUpFilters, toReplicaTopic } from './broker-topics.ts'
import { createReplicaCodec } from './replica-codec.ts'

/** Maximum number of unacknowledged messages from the broker: the size of one group commit. */
const RECEIVE_MAXIMUM = 1_000
const SESSION_EXPIRY_S = 86_400
const RETRY_MS = 1_000
/**
 * A silent broker gets a ping after this time, and half of it for the answer: that long a silently dropped connection
 * looks alive, and the readings of all gateways wait. A server that stands still for ten seconds must not lose it.
 */
const KEEPALIVE_S = 20
/** Replicas that share the messages of gateways. */
const SHARE_GROUP = 'ingest'

/** Passed to MQTT.js so that it sends no acknowledgement; ours follows once the message is durable. */
const deferred = new Error('acknowledged later')

/**
 * Acknowledges a message. MQTT.js acknowledges when its handler returns and handles one message at a time, which
 * would need one commit per message. So its acknowledgement is suppressed and ours is sent after the commit, by a
 * private method of the pinned version (broker-port.test.ts checks it).
 */
function acknowledge(client: MqttClient, messageId: number): void {
  const send: unknown = Reflect.get(client, '_sendPacket')
  if (typeof send !== 'function') throw new Error('this version of mqtt cannot delay acknowledgements')
  Reflect.apply(send, client, [{ cmd: 'puback', messageId, reasonCode: 0 }])
}

/**
 * Client id of this replica. It stays the same over restarts. Replicas on one host set theirs in the URL:
 * `?client=b`. With other companies it is another one: the session at the broker would go on receiving the messages of the
 * former ones.
 */
function toClientId(url: string, cell: Cell | undefined): string {
  const name = `isotherm-${new URL(url).searchParams.get('client') ?? hostname()}`
  const suffix = cell === undefined ? '' : `-${cell.name}`
  return `${name.slice(0, 64 - suffix.length)}${suffix}`
}

/**
 * Whether the broker is used with MQTT 3.1.1: `?version=4` in the URL, for brokers without MQTT 5 or shared
 * subscriptions. Then there can be one server only.
 */
const isPlain = (url: string): boolean => new URL(url).searchParams.get('version') === '4'

/** The broker drops expired messages and forwards the remaining whole seconds. */
const toProperties = (
  { id, replyTo, expiresAt }: RequestProperties,
  now: number,
): NonNullable<IClientPublishOptions['properties']> => ({
  messageExpiryInterval: Math.max(1, Math.ceil((expiresAt - now) / 1_000)),
  responseTopic: replyTo,
  correlationData: Buffer.from(id),
  contentType: 'application/json',
})

export interface ExternalBrokerOptions {
  readonly url: string
  /** Secret of the installation. Its replicas sign their messages to each other with it. */
  readonly secret: string
  /** The companies whose messages it receives; absent: all. */
  readonly cell?: Cell | undefined
}

/**
 * An external MQTT 5 broker. Replicas share its messages through a shared subscription. With `?version=4` in the URL
 * it is one of MQTT 3.1.1, and this server receives all messages.
 */
export function createExternalBroker(
  { url, secret, cell }: ExternalBrokerOptions,
  clock: Clock,
  log: Log,
): BrokerPort {
  const codec = createReplicaCodec(secret, clock)
  const isAlone = isPlain(url)
  const replicaTopic = toReplicaTopic(cell)
  let client: MqttClient | undefined
  let closed = false
  /** Whether messages are being retried. Only the first failure is a warning in the log. */
  let isRetrying = false

  function logRetry(error: unknown, topic: string): void {
    if (isRetrying) log.debug({ err: error, topic }, 'a message could not be stored yet')
    else log.warn({ err: error, topic }, 'messages cannot be stored now; retrying')
    isRetrying = true
  }

  /** Stores a message and retries until it succeeds. The receive maximum limits the number of waiting messages. */
  async function storeWithRetry(message: IncomingMessage, handlers: FieldHandlers): Promise<void> {
    while (!closed) {
      try {
        await handlers.store(message)
        isRetrying = false
        return
      } catch (error) {
        logRetry(error, message.topic)
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, RETRY_MS)
        })
      }
    }
    throw new Error('closed before the message was stored')
  }

  function receiveFromReplica(packet: Buffer, handlers: FieldHandlers): void {
    const message = codec.read(packet)
    if (!message) {
      log.warn({ topic: replicaTopic }, 'a message on the topic of the replicas is not from a replica')
      return
    }
    if (message.missedSince !== undefined) handlers.onReplicaGap(message.missedSince)
    handlers.onReplicaMessage(message.body)
  }

  function handleMessages(connected: MqttClient, handlers: FieldHandlers): void {
    let connection = 0
    connected.on('connect', () => {
      connection += 1
      if (connection > 1 && !isAlone) handlers.onReplicaGap()
    })
    connected.handleMessage = (packet, done) => {
      const { topic, messageId, qos } = packet
      const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload)
      if (topic === replicaTopic) {
        receiveFromReplica(payload, handlers)
        return done()
      }
      const arrivedOn = connection
      storeWithRetry({ topic, payload, receivedAt: clock.now() }, handlers).then(
        () => {
          // On another connection the id may belong to another message. This one is sent again and recognised.
          const isSame = connected.connected && connection === arrivedOn
          if (qos === 1 && messageId !== undefined && isSame) acknowledge(connected, messageId)
        },
        (error: unknown) => log.debug({ err: error, topic }, 'left unacknowledged'),
      )
      done(qos === 1 ? deferred : undefined)
    }
  }

  return {
    async start(handlers) {
      const connecting = connect(url, {
        protocolVersion: isAlone ? 4 : 5,
        clientId: toClientId(url, cell),
        clean: false,
        manualConnect: true,
        ...(isAlone
          ? {}
          : { properties: { receiveMaximum: RECEIVE_MAXIMUM, sessionExpiryInterval: SESSION_EXPIRY_S } }),
        reconnectPeriod: 1_000,
        keepalive: KEEPALIVE_S,
      })
      connecting.on('error', (error) => log.warn({ err: error }, 'the MQTT broker reports an error'))
      connecting.on('offline', () => log.warn('the MQTT broker is unavailable'))
      // Before the connection: a resumed session delivers its queued messages at once.
      handleMessages(connecting, handlers)
      client = connecting
      const connected = new Promise<void>((resolve) => connecting.once('connect', () => resolve()))
      connecting.connect()
      await connected
      // Before messages arrive: other replicas report what they store from now on; earlier data is read from the store.
      if (!isAlone) {
        await connecting.subscribeAsync(replicaTopic, { qos: 0, nl: true })
        handlers.onReplicaGap()
      }
      await connecting.subscribeAsync(listUpFilters(cell, isAlone ? undefined : SHARE_GROUP), { qos: 1 })
    },
    isEmbedded: false,
    port: undefined,
    tlsPort: undefined,
    isReady: () => client?.connected ?? false,
    async publish(topic, payload, qos, request) {
      if (!client?.connected) throw new Error('the broker is unavailable')
      const properties = request && !isAlone ? toProperties(request, clock.now()) : undefined
      await client.publishAsync(topic, payload, { qos, ...(properties ? { properties } : {}) })
    },
    ...(isAlone
      ? {}
      : {
          sendToReplicas(body: Uint8Array) {
            if (client?.connected) client.publish(replicaTopic, codec.write(body), { qos: 0 })
          },
          replicas: { name: codec.name, listOthers: codec.listSenders },
        }),
    async close() {
      closed = true
      await client?.endAsync()
    },
  }
}
