import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { createLimitedConnections } from '../../field/limited-connections.ts'
import type { HeldPort } from '../../field/ports.ts'

/** The HTTP answer to a push. */
export interface Answer {
  readonly status: number
  readonly text: string
}

export interface ListenerOptions {
  readonly handle: (request: IncomingMessage, body: string) => Promise<Answer>
  /** Reports a request that is refused before it is handled, and a connection that is closed for a newer one (`too-many`). */
  readonly refused: (reason: 'too-large' | 'too-slow' | 'too-many') => void
}

/** Largest body of a push, bytes. */
export const MAX_BODY = 262_144
/** Largest header of a push, bytes. */
const MAX_HEADER = 8_192
const MAX_CONNECTIONS = 100
/** Maximum life of a connection, which carries one push, ms. IoTDA waits as long for an answer. */
const LIFE_MS = 15 * SECOND_MS

/** The body of a request; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return undefined
    size += chunk.length
    if (size > MAX_BODY) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Serves HTTP on a port, with limits for connections, time, header and body, and one request per connection. Returns
 * a function that closes it.
 */
export function serveHttp(held: HeldPort, { handle, refused }: ListenerOptions): () => void {
  const connections = createLimitedConnections({
    max: MAX_CONNECTIONS,
    timeMs: LIFE_MS,
    onTimeout: () => refused('too-slow'),
    onDisplaced: () => refused('too-many'),
  })

  function send(response: ServerResponse, { status, text }: Answer): void {
    const isJson = text.startsWith('{')
    response.writeHead(status, {
      'content-type': isJson ? 'application/json' : 'text/plain; charset=utf-8',
      connection: 'close',
    })
    response.end(text)
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const body = await readBody(request)
    if (body !== undefined) return handle(request, body)
    refused('too-large')
    return { status: 413, text: JSON.stringify({ error: 'too-large' }) }
  }

  const server = createServer({ maxHeaderSize: MAX_HEADER }, (request, response) => {
    answer(request).then(
      (found) => send(response, found),
      // The connection broke, or the disk is full: the platform repeats the push.
      () => send(response, { status: 503, text: JSON.stringify({ error: 'not-stored' }) }),
    )
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  held.serve((socket) => {
    connections.add(socket)
    server.emit('connection', socket)
  })
  return () => {
    connections.close()
    server.close()
  }
}
