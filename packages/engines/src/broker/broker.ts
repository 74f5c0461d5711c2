import type { Socket } from 'node:net'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { type Listeners, openListeners, type TlsOfBroker } from './broker-listeners.ts'
import { guardSessions } from './broker-sessions.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createFrameGuard } from './mqtt-frames.ts'
import { defaultPendingLimits, type PendingLimits } from './pending-connections.ts'

export interface BrokerClient {
  /** Name of its session: `toSession` of the owner, by default the client id. */
  readonly id: string
  /** Client id that it sent. */
  readonly clientId: string
  /** User name it signed in with; empty for none. */
  readonly user: string
  /** Address of its connection. */
  readonly address: string
  /** Whether it came to the port with TLS. */
  readonly isEncrypted: boolean
  /** Certificate that it presented, trusted or not; absent without one. */
  readonly certificate?: ClientCertificate
}

export interface BrokerMessage {
  readonly topic: string
  readonly payload: Buffer
  readonly qos: 0 | 1 | 2
  readonly retain: boolean
}

/** Why a connection was refused or closed by the broker. */
export type BrokerRefusal =
  | 'too-large'
  | 'malformed'
  | 'protocol'
  | 'too-many-connections'
  | 'too-many-pending'
  | 'handshake-failed'
  | 'not-authenticated'
  | 'publish-denied'
  | 'subscribe-denied'
  | 'not-stored'
  | 'queue-full'

/** Decisions and work that the broker leaves to its owner. A handler that throws or rejects refuses. */
export interface BrokerHandlers {
  /**
   * Name of the session of a client id and a user name, before the password is checked. Connections with the same name
   * replace each other and share subscriptions and queued messages. Default: the client id.
   */
  toSession?(clientId: string, user: string): string
  /** True lets the client in. False or a text refuses it; the text is the detail of `onRefused`. */
  authenticate(client: BrokerClient, password: string): boolean | string | Promise<boolean | string>
  mayPublish(client: BrokerClient, topic: string): boolean
  maySubscribe(client: BrokerClient, filter: string): boolean
  /**
   * Stores a message of a client. PUBACK (QoS 1) is sent after the promise resolves. If it rejects, the connection closes and
   * the client sends the message again later. Calls for the packets of a connection run concurrently, started in order; no
   * more bytes are read before all of them have resolved.
   */
  store(message: BrokerMessage, client: BrokerClient): Promise<void>
  onConnected?(client: BrokerClient): void
  onDisconnected?(client: BrokerClient): void
  /** A client subscribed to allowed filters; messages that are published now reach it. */
  onSubscribed?(client: BrokerClient, filters: readonly string[]): void
  /** A subscriber acknowledged a QoS 1 message. */
  onDelivered?(message: { readonly topic: string; readonly payload: Buffer }, client: BrokerClient): void
  /** For counters and logs; client is absent before sign-in. */
  onRefused?(reason: BrokerRefusal, detail: string, client: BrokerClient | undefined): void
}

export interface BrokerOptions extends BrokerHandlers {
  readonly host: string
  /** Port without TLS; 0 selects a free one, undefined opens none. */
  readonly port: number | undefined
  /** Port with TLS; absent: none. */
  readonly tls?: TlsOfBroker | undefined
  /** Default 256 kB. */
  readonly maxPacketBytes?: number
  /** Connections to both ports above it are closed at once. Without it there is no limit. */
  readonly maxConnections?: number
  /** Limits of connections to both ports that have not signed in. Default: 2,000, 1,000 of one network, 3 s of grace. */
  readonly pending?: PendingLimits | undefined
  /** Maximum number of unacknowledged messages that are stored for one client; further ones are dropped. Default 1,000. */
  readonly maxQueuedPerClient?: number
}

export interface Broker {
  /** Port without TLS; 0 if there is none. */
  readonly port: number
  /** Port with TLS; 0 if there is none. */
  readonly tlsPort: number
  readonly connectedClients: number
  /** Connections that have not signed in. */
  readonly pendingConnections: number
  isConnected(session: string): boolean
  /** Resolves when the message was passed to every connected subscriber. */
  publish(message: BrokerMessage): Promise<void>
  /** Disconnects the client of a session, for example after its access was revoked. Its queued messages stay. */
  disconnect(session: string): void
  /**
   * Uses new certificates for new connections, and closes those whose handshake is not over. Throws EngineError if they cannot be
   * used; then the old ones stay.
   */
  setTls: Listeners['setTls']
  /** Disconnects the clients that the condition names, also those that have not signed in yet. */
  disconnectWhere(condition: (client: BrokerClient) => boolean): void
  /** Stops listening and closes every connection. */
  close(): Promise<void>
}

interface Peer {
  readonly socket: Socket
  readonly deliveries: Deliveries
  who: BrokerClient
}

const clientIdLimit = 160
const userLimit = 256

/**
 * Starts an MQTT 3.1.1 broker in this process (aedes). Sessions and retained messages live in memory only.
 * A client replaces an earlier connection of the same session, so the session must be bound to the user by `toSession`, or
 * the client id to the user by `authenticate`.
 */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const peers = new Map<object, Peer>()
  const online = new Map<string, Peer>()
  const refused = (reason: BrokerRefusal, detail: string, peer?: Peer) =>
    options.onRefused?.(reason, detail, peer?.who.id ? peer.who : undefined)
  const peerOf = (client: Client) => {
    const peer = peers.get(client)
    if (!peer) throw new Error('a client without a connection')
    return peer
  }

  const aedes = await Aedes.createBroker({
    queueLimit: 1_000,
    connectTimeout: 10_000,
    drainTimeout: 15_000,
    preConnect(client, packet, done) {
      const { clientId } = packet
      const isUsable = clientId.length > 0 && clientId.length <= clientIdLimit
      if (isUsable) {
        const peer = peerOf(client)
        const user = (packet.username ?? '').slice(0, userLimit)
        // aedes stores connections, subscriptions, wills and queues by this id.
        packet.clientId = options.toSession?.(clientId, user) ?? clientId
        peer.who = { ...peer.who, id: packet.clientId, clientId, user }
      }
      done(null, isUsable)
    },
    authenticate(client, _username, password, done) {
      const peer = peerOf(client)
      const decided = Promise.resolve().then(() =>
        options.authenticate(peer.who, password?.toString('utf8') ?? ''),
      )
      decided.then(
        (verdict) => {
          const detail = verdict === false ? 'unknown user or wrong password' : verdict
          if (detail !== true) refused('not-authenticated', detail, peer)
          done(null, detail === true)
        },
        (error: unknown) => {
          refused('not-authenticated', describe(error), peer)
          done(toAuthenticateError(error), false)
        },
      )
    },
    authorizePublish(client, packet, done) {
      // Wills of a terminated broker have no client; with sessions in memory there are none.
      const peer = client ? peers.get(client) : undefined
      if (!client || !peer) return done(new Error('no client'))
      // At QoS 2 a client that sends no releases could make the broker store any number of messages.
      if (packet.qos === 2 || !options.mayPublish(peer.who, packet.topic)) {
        refused('publish-denied', packet.topic.slice(0, 200), peer)
        return done(new Error('publish denied'))
      }
      const { topic, qos, retain } = packet
      const message = { topic, payload: toBuffer(packet.payload), qos, retain }
      Promise.resolve()
        .then(() => options.store(message, peer.who))
        .then(
          () => done(null),
          (error: unknown) => {
            refused('not-stored', describe(error), peer)
            done(new Error('not stored'))
          },
        )
    },
    authorizeSubscribe(client, subscription, done) {
      const peer = peerOf(client)
      const isAllowed = options.maySubscribe(peer.who, subscription.topic)
      if (!isAllowed) refused('subscribe-denied', subscription.topic.slice(0, 200), peer)
      done(null, isAllowed ? subscription : null)
    },
    authorizeForward(client, packet) {
      const peer = peers.get(client)
      if (!peer || packet.qos === 0) return packet
      // aedes does not change an existing packet id, so the message of a PUBACK is known.
      const delivery = { topic: packet.topic, payload: toBuffer(packet.payload) }
      packet.messageId = peer.deliveries.add(delivery, packet.messageId)
      return packet
    },
  })
  guardSessions(aedes, {
    maySubscribe: (client, filter) => options.maySubscribe(peerOf(client).who, filter),
    maxQueued: options.maxQueuedPerClient ?? 1_000,
    onQueueFull: (clientId) => refused('queue-full', clientId, online.get(clientId)),
  })
  aedes.on('clientReady', (client) => {
    const peer = peerOf(client)
    online.set(peer.who.id, peer)
    listeners.settle(peer.socket)
    options.onConnected?.(peer.who)
  })
  aedes.on('clientDisconnect', (client) => {
    const peer = peers.get(client)
    if (!peer) return
    if (online.get(peer.who.id) === peer) online.delete(peer.who.id)
    options.onDisconnected?.(peer.who)
  })
  aedes.on('subscribe', (subscriptions, client) => {
    const peer = client ? peers.get(client) : undefined
    const filters = subscriptions.filter(({ qos }) => qos < 128).map(({ topic }) => topic)
    if (peer && filters.length > 0) options.onSubscribed?.(peer.who, filters)
  })
  for (const event of ['clientError', 'connectionError'] as const) {
    aedes.on(event, (client, error) => {
      if (!isPlainEnd(error)) refused('protocol', error.message, peers.get(client))
    })
  }
  // Internal failures of aedes; without a listener they would end the process.
  aedes.addListener('error', (error: unknown) => refused('protocol', describe(error)))

  const listeners = await openListeners({
    host: options.host,
    port: options.port,
    tls: options.tls,
    maxConnections: options.maxConnections,
    pending: options.pending ?? defaultPendingLimits,
    onAccepted({ socket, ...accepted }) {
      const deliveries = createDeliveries()
      const address = socket.remoteAddress ?? ''
      const peer: Peer = { socket, deliveries, who: { ...accepted, id: '', clientId: '', user: '', address } }
      guard(socket, options, peer, refused)
      const client = aedes.handle(socket)
      peers.set(client, peer)
      // After aedes has announced the end, which it does on the same event.
      socket.once('close', () => setImmediate(() => peers.delete(client)))
    },
    onDropped: (reason, address) => refused(reason, address),
    onHandshakeFailed: (detail, address) => refused('handshake-failed', `${detail} of ${address}`),
  })

  return {
    port: listeners.port,
    tlsPort: listeners.tlsPort,
    get connectedClients() {
      return aedes.connectedClients
    },
    get pendingConnections() {
      return listeners.pending
    },
    isConnected: (session) => online.has(session),
    publish: ({ topic, payload, qos, retain }) =>
      new Promise((resolve, reject) => {
        aedes.publish({ cmd: 'publish', dup: false, topic, payload, qos, retain }, (error) =>
          error ? reject(error) : resolve(),
        )
      }),
    disconnect(session) {
      online.get(session)?.socket.destroy()
    },
    setTls: listeners.setTls,
    disconnectWhere(condition) {
      for (const { who, socket } of peers.values()) if (condition(who)) socket.destroy()
    },
    async close() {
      for (const peer of peers.values()) peer.socket.destroy()
      const closed = listeners.close()
      await new Promise<void>((resolve) => aedes.close(() => resolve()))
      await closed
    },
  }
}

/** Checks the bytes that aedes reads from the socket: a too large or malformed packet ends the connection. */
function guard(
  socket: Socket,
  options: BrokerOptions,
  peer: Peer,
  refused: (reason: BrokerRefusal, detail: string, peer: Peer) => void,
): void {
  const maxPacketBytes = options.maxPacketBytes ?? 256 * 1024
  const check = createFrameGuard({
    maxPacketBytes,
    onPuback(packetId) {
      const delivery = peer.deliveries.end(packetId)
      if (delivery) options.onDelivered?.(delivery, peer.who)
    },
  })
  const read = socket.read.bind(socket)
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size)
    if (!(chunk instanceof Uint8Array)) return chunk
    const verdict = check(chunk)
    if (verdict === 'ok') return chunk
    refused(verdict, verdict === 'too-large' ? `more than ${maxPacketBytes} bytes` : 'no packet length', peer)
    socket.destroy()
    return null
  }
}

/** Whether an error is only the end of a connection. */
function isPlainEnd(error: Error): boolean {
  const code = 'code' in error ? error.code : ''
  // A refused CONNECT carries its return code and was reported where it was refused.
  if ('errorCode' in error) return true
  return (
    ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(code)) ||
    ['connection closed', 'publish denied', 'not stored', 'no client'].includes(error.message)
  )
}

// Return code 3: server unavailable. The client retries, instead of assuming a wrong password.
function toAuthenticateError(cause: unknown): AuthenticateError {
  return Object.assign(new Error('authentication is not available', { cause }), { returnCode: 3 })
}

function toBuffer(payload: string | Buffer): Buffer {
  return typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
