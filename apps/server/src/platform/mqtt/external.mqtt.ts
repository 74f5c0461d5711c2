import { hostname } from 'node:os'
import { toUpFilter, upChannels } from '@isotherm/contract/mqtt'
import { connect, type IClientPublishOptions, type MqttClient } from 'mqtt'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { BrokerPort, FieldHandlers, IncomingMessage, RequestProperties } from './broker-port.ts'
import { createReplicaNews } from './replica-events.ts'

/** Messages the broker may have on their way to us unacknowledged: what one group commit can gather. */
const RECEIVE_MAXIMUM = 1_000
const SESSION_EXPIRY_S = 86_400
const RETRY_MS = 1_000
/** What replicas tell each other, outside of what devices may read and write. */
const NEWS_TOPIC = 'isotherm/v1/replicas'

/** Told to MQTT.js so that it sends no acknowledgement of its own; it is sent once the message is durable. */
const deferred = new Error('acknowledged later')

/**
 * MQTT.js acknowledges as soon as its handler returns and takes one message at a time, which makes one
 * commit a message. So its own acknowledgement is called off and ours goes out after the commit, over a
 * private method of the pinned version (protocols.md 4.4; the test of the port holds it to that).
 */
function acknowledge(client: MqttClient, messageId: number): void {
  const send: unknown = Reflect.get(client, '_sendPacket')
  if (typeof send !== 'function') throw new Error('this version of mqtt cannot acknowledge later')
  Reflect.apply(send, client, [{ cmd: 'puback', messageId, reasonCode: 0 }])
}

/** A session of its own for each replica, found again after a restart; replicas on one host name theirs: `?client=b`. */
const toClientId = (url: string): string =>
  `isotherm-${new URL(url).searchParams.get('client') ?? hostname()}`.slice(0, 64)

/** The broker drops what no device came for in time, and tells the others how many whole seconds are left. */
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
  /** Of the installation: its replicas sign by it what they tell each other. */
  readonly secret: string
}

/** A broker somewhere else (any MQTT 5 one); replicas share its messages through a shared subscription. */
export function createExternalBroker(
  { url, secret }: ExternalBrokerOptions,
  clock: Clock,
  log: Log,
): BrokerPort {
  const news = createReplicaNews(secret, clock)
  let client: MqttClient | undefined
  let closed = false
  /** Whether messages wait: of each of a thousand that do nobody wants to hear every second. */
  let isHolding = false

  function noteHeld(error: unknown, topic: string): void {
    if (isHolding) log.debug({ err: error, topic }, 'a message could not be taken yet')
    else log.warn({ err: error, topic }, 'messages cannot be taken now, and are tried again until they are')
    isHolding = true
  }

  /** What cannot be stored now is held and tried again: the receive maximum bounds how much that can be. */
  async function storeSometime(message: IncomingMessage, handlers: FieldHandlers): Promise<void> {
    while (!closed) {
      try {
        await handlers.store(message)
        isHolding = false
        return
      } catch (error) {
        noteHeld(error, message.topic)
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, RETRY_MS)
        })
      }
    }
    throw new Error('closed before the message was taken')
  }

  function hear(packet: Buffer, handlers: FieldHandlers): void {
    const told = news.read(packet)
    if (!told) {
      log.warn({ topic: NEWS_TOPIC }, 'somebody else writes to the topic of the replicas')
      return
    }
    if (told.missedSince !== undefined) handlers.onMissed(told.missedSince)
    handlers.onTold(told.body)
  }

  function take(connected: MqttClient, handlers: FieldHandlers): void {
    let connection = 0
    connected.on('connect', () => {
      connection += 1
      if (connection > 1) handlers.onMissed()
    })
    connected.handleMessage = (packet, done) => {
      const { topic, messageId, qos } = packet
      const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload)
      if (topic === NEWS_TOPIC) {
        hear(payload, handlers)
        return done()
      }
      const arrivedOn = connection
      storeSometime({ topic, payload, receivedAt: clock.now() }, handlers).then(
        () => {
          // On another connection the id may stand for another message; this one comes again and is known.
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
        protocolVersion: 5,
        clientId: toClientId(url),
        clean: false,
        manualConnect: true,
        properties: { receiveMaximum: RECEIVE_MAXIMUM, sessionExpiryInterval: SESSION_EXPIRY_S },
        reconnectPeriod: 1_000,
      })
      connecting.on('error', (error) => log.warn({ err: error }, 'the MQTT broker reports an error'))
      connecting.on('offline', () => log.warn('the MQTT broker is away'))
      // Before the connection stands: a session that is found again sends at once what it kept.
      take(connecting, handlers)
      client = connecting
      const connected = new Promise<void>((resolve) => connecting.once('connect', () => resolve()))
      connecting.connect()
      await connected
      // Before messages come: what another stores from here on is told us, what it stored before is read.
      await connecting.subscribeAsync(NEWS_TOPIC, { qos: 0, nl: true })
      handlers.onMissed()
      await connecting.subscribeAsync(
        // Who is there is for every replica to know, from the beginning: a share leaves out what was retained.
        upChannels.map((channel) =>
          channel === 'birth' ? toUpFilter(channel) : `$share/ingest/${toUpFilter(channel)}`,
        ),
        { qos: 1 },
      )
    },
    port: undefined,
    isReady: () => client?.connected ?? false,
    async publish(topic, payload, qos, request) {
      if (!client?.connected) throw new Error('the broker is away')
      const properties = request && toProperties(request, clock.now())
      await client.publishAsync(topic, payload, { qos, ...(properties ? { properties } : {}) })
    },
    tell(body) {
      if (client?.connected) client.publish(NEWS_TOPIC, news.write(body), { qos: 0 })
    },
    async close() {
      closed = true
      await client?.endAsync()
    },
  }
}
