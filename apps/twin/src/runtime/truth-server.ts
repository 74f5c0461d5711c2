import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Truth } from './truth.ts'

const LOOPBACK = '127.0.0.1'

export interface TruthServer {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Host names of local requests; a foreign page with its own name for this address is refused (DNS rebinding). */
const isOwnName = (host: string | undefined, port: number): boolean =>
  host === `${LOOPBACK}:${port}` || host === `localhost:${port}`

interface Answer {
  readonly status: number
  readonly body: string
}

function answerTo({ headers, url, method }: IncomingMessage, port: number, read: () => Truth): Answer {
  if (!isOwnName(headers.host, port)) return { status: 421, body: 'not the name of this server' }
  if (url !== '/truth') return { status: 404, body: 'there is only /truth' }
  if (method !== 'GET') return { status: 405, body: 'the truth can only be read' }
  return { status: 200, body: JSON.stringify(read()) }
}

/** Serves the true state of the field on loopback only: GET /truth. Port 0 selects a free port. */
export async function startTruthServer(port: number, read: () => Truth): Promise<TruthServer> {
  const server = createServer((request, response) => {
    const { status, body } = answerTo(request, request.socket.localPort ?? 0, read)
    response.writeHead(status, {
      'content-type': status === 200 ? 'application/json' : 'text/plain',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  })
  server.listen(port, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the truth has no port')
  return {
    port: address.port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
