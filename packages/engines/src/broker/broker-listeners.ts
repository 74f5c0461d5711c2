import { constants } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { EngineError } from '../engine.ts'
import { type ClientCertificate, readAuthorityNames, readClientCertificate } from './client-certificate.ts'
import { createPendingConnections, type PendingLimits } from './pending-connections.ts'

/** Certificates and keys of the TLS listener, as texts in PEM. */
export interface TlsMaterial {
  /** Certificate of the server, followed by those of intermediate authorities. */
  readonly certificate: string
  readonly key: string
  /** Authorities that sign the certificates of clients. Without them the broker requests no certificates. */
  readonly clientAuthorities?: string
  /** Revocation lists of all these authorities, one text each. Empty: nothing is revoked. */
  readonly revocations: readonly string[]
}

export interface TlsOfBroker {
  /** 0 selects a free one. */
  readonly port: number
  readonly material: TlsMaterial
  /** Time in which a client must complete its handshake, ms. Default 10,000. */
  readonly handshakeMs?: number
}

/** A connection before its CONNECT. */
export interface Accepted {
  readonly socket: Socket
  readonly isEncrypted: boolean
  readonly certificate?: ClientCertificate
}

export interface ListenerOptions {
  readonly host: string
  /** Port without TLS; 0 selects a free one, undefined opens none. */
  readonly port: number | undefined
  readonly tls?: TlsOfBroker | undefined
  /** Limit of connections of both ports together. */
  readonly maxConnections?: number | undefined
  /** Limits of those that have not signed in. */
  readonly pending: PendingLimits
  /** A connection that may send its CONNECT. */
  onAccepted(accepted: Accepted): void
  /** A connection was closed because there are too many, or too many that have not signed in. */
  onDropped(reason: 'too-many-connections' | 'too-many-pending', address: string): void
  /** A TLS handshake failed; the connection is closed. */
  onHandshakeFailed(detail: string, address: string): void
}

export interface Listeners {
  /** 0 if there is none; also for tlsPort. */
  readonly port: number
  readonly tlsPort: number
  /** Connections that have not signed in. */
  readonly pending: number
  /** The client of an accepted connection has signed in. */
  settle(socket: Socket): void
  /**
   * Uses new certificates for new connections, and closes those whose handshake is not over. Throws if they cannot be used; then
   * the old ones stay.
   */
  setTls(material: TlsMaterial): void
  /** Stops listening and closes all connections. */
  close(): Promise<void>
}

const HANDSHAKE_MS = 10_000

function toTlsOptions({ certificate, key, clientAuthorities, revocations }: TlsMaterial): TlsOptions {
  return {
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    // A resumed session would check neither the certificate of the client nor the revocation list again.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
    ...(clientAuthorities === undefined ? {} : { ca: clientAuthorities }),
    ...(revocations.length === 0 ? {} : { crl: [...revocations] }),
  }
}

/** Opens the ports of the broker. Throws EngineError if a port is taken or the certificates cannot be used. */
export async function openListeners(options: ListenerOptions): Promise<Listeners> {
  const open = new Set<Socket>()
  const pending = createPendingConnections(options.pending, (address) =>
    options.onDropped('too-many-pending', address),
  )
  const servers: Server[] = []
  const tls = options.tls && createTlsAcceptor(options.tls, options)

  async function listen(port: number, accept: (socket: Socket) => void): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => {
      if (open.size >= (options.maxConnections ?? Number.POSITIVE_INFINITY)) {
        options.onDropped('too-many-connections', socket.remoteAddress ?? '')
        socket.destroy()
        return
      }
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      if (pending.admit(socket)) accept(socket)
    })
    const taken = await startListening(server, options.host, port)
    servers.push(server)
    return taken
  }

  async function close(): Promise<void> {
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
    for (const socket of open) socket.destroy()
    await Promise.all(closed)
  }

  try {
    const port =
      options.port === undefined
        ? 0
        : await listen(options.port, (socket) => options.onAccepted({ socket, isEncrypted: false }))
    const tlsPort = options.tls && tls ? await listen(options.tls.port, tls.accept) : 0
    return {
      port,
      tlsPort,
      get pending() {
        return pending.count
      },
      settle: pending.settle,
      setTls(material) {
        tls?.use(material)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Performs the TLS handshake of accepted connections. It does not listen itself, so that both ports share one limit. */
function createTlsAcceptor(
  { material, handshakeMs = HANDSHAKE_MS }: TlsOfBroker,
  { onAccepted, onHandshakeFailed }: ListenerOptions,
) {
  const asksForCertificate = material.clientAuthorities !== undefined
  /** A server for handshakes with these certificates; later ones have a server of their own. */
  function create(used: TlsMaterial): Server {
    const created = toReadable(() =>
      createTlsServer({
        ...toTlsOptions(used),
        handshakeTimeout: handshakeMs,
        requestCert: asksForCertificate,
        // The certificate is judged at CONNECT, so that the refusal has an answer and a reason.
        rejectUnauthorized: false,
      }),
    )
    const authorities = toReadable(() => readAuthorityNames(used.clientAuthorities ?? ''))
    created.on('secureConnection', (socket) => {
      // The handshake began with former certificates, so its result may no longer be valid.
      if (created !== server) return socket.destroy()
      const certificate = asksForCertificate ? readClientCertificate(socket, authorities) : undefined
      onAccepted({ socket, isEncrypted: true, ...(certificate === undefined ? {} : { certificate }) })
    })
    created.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      const { remoteAddress = '' } = socket
      socket.destroy()
      // ECONNRESET: a client only tested whether the port is open.
      if (error.code !== 'ECONNRESET') onHandshakeFailed(error.code ?? error.message, remoteAddress)
    })
    return created
  }
  let server = create(material)
  return {
    accept(socket: Socket) {
      server.emit('connection', socket)
    },
    use(renewed: TlsMaterial) {
      server = create(renewed)
    },
  }
}

/** Runs work of OpenSSL. Throws EngineError with the fault that OpenSSL names. */
function toReadable<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new EngineError(`the certificates of the MQTT broker cannot be used (${reason})`, { cause: error })
  }
}

function startListening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text = error.code === 'EADDRINUSE' ? `MQTT port ${port} of ${host} is taken` : error.message
      reject(new EngineError(text, { cause: error }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
