import websocket from '@fastify/websocket'
import { LIVE_PATH } from '@isotherm/contract/live'
import { toNetworkOf } from '@isotherm/kernel/machine/network-of'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../platform/clock.ts'
import { isOwnOrigin } from '../../../platform/http/own-origin.ts'
import type { LiveConnection, LiveSocket } from './connection.ts'

/** Largest request: a subscription with the greatest number of nodes in the contract. */
const MAX_MESSAGE_BYTES = 512 * 1024
const PING_MS = 30_000
const MAX_CONNECTIONS = 2_000
/** Connections that have not signed in yet, in all and from one network: the others keep their places. */
const MAX_SILENT = 1_000
export const MAX_SILENT_PER_NETWORK = 100

/** What the route uses of a connection. */
type RoutedConnection = Pick<LiveConnection, 'receive' | 'accountId'>

export interface LiveRouteOptions<Connection extends RoutedConnection> {
  readonly clock: Pick<Clock, 'setTimeout'>
  readonly open: (socket: LiveSocket) => Connection
  readonly closed: (connection: Connection) => void
  readonly countOpen: () => number
}

/** Mounts the WebSocket /live. */
export async function addLiveRoute<Connection extends RoutedConnection>(
  app: FastifyInstance,
  options: LiveRouteOptions<Connection>,
): Promise<void> {
  await app.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false } })
  /** Networks of the connections that are open. */
  const networks = new Map<Connection, string>()

  function hasPlace(network: string): boolean {
    if (options.countOpen() >= MAX_CONNECTIONS) return false
    const silent = [...networks].filter(([connection]) => connection.accountId() === undefined)
    const own = silent.filter(([, other]) => other === network)
    return silent.length < MAX_SILENT && own.length < MAX_SILENT_PER_NETWORK
  }

  await app.register(async (scope) => {
    scope.route({
      method: 'GET',
      url: LIVE_PATH,
      async preValidation(request, reply) {
        if (!isOwnOrigin(request)) return reply.code(403).send()
        if (!hasPlace(toNetworkOf(request.ip))) return reply.code(503).send()
      },
      handler: (_request, reply) => reply.callNotFound(),
      wsHandler(socket, request) {
        let isAlive = true
        const connection = options.open({
          send: (text) => socket.send(text),
          close: (code) => socket.close(code),
          bufferedBytes: () => socket.bufferedAmount,
        })
        networks.set(connection, toNetworkOf(request.ip))
        const ping = (): void => {
          if (!isAlive) {
            socket.terminate()
            return
          }
          isAlive = false
          socket.ping()
          timer = options.clock.setTimeout(ping, PING_MS)
        }
        let timer = options.clock.setTimeout(ping, PING_MS)
        socket.on('pong', () => {
          isAlive = true
        })
        socket.on('message', (data, isBinary) => {
          isAlive = true
          connection.receive(isBinary ? '' : data.toString())
        })
        socket.on('error', () => socket.terminate())
        socket.on('close', () => {
          timer.cancel()
          networks.delete(connection)
          options.closed(connection)
        })
      },
    })
  })
}
