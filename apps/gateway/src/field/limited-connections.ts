import type { Socket } from 'node:net'
import { toNetworkOf } from '@isotherm/kernel/machine/network-of'

export interface LimitedConnectionsOptions {
  /** Maximum number of connections. */
  readonly max: number
  /** Life of a connection, ms. Single bytes do not extend it. */
  readonly timeMs: number
  /** Called when a connection took too long. */
  readonly onTimeout: (socket: Socket) => void
  /** Called when a connection is closed for a newer one. */
  readonly onDisplaced?: () => void
}

/**
 * Connections of strangers: units that have not registered yet, and pushes. A port in the internet is scanned all day, so their number and
 * time are limited. Above the limit, the oldest connection of the network with the most connections is closed. Who has something to
 * say does so at once, and soon leaves this list.
 */
export interface LimitedConnections {
  add(socket: Socket): void
  remove(socket: Socket): void
  readonly size: number
  close(): void
}

interface Entry {
  readonly network: string
  readonly timer: NodeJS.Timeout
}

export function createLimitedConnections({
  max,
  timeMs,
  onTimeout,
  onDisplaced,
}: LimitedConnectionsOptions): LimitedConnections {
  const entries = new Map<Socket, Entry>()
  /** Sockets by network, oldest first. */
  const byNetwork = new Map<string, Set<Socket>>()

  function remove(socket: Socket): void {
    const entry = entries.get(socket)
    if (entry === undefined) return
    clearTimeout(entry.timer)
    entries.delete(socket)
    const others = byNetwork.get(entry.network)
    others?.delete(socket)
    if (others?.size === 0) byNetwork.delete(entry.network)
  }

  function evictOne(): void {
    let most: Set<Socket> | undefined
    for (const sockets of byNetwork.values()) if (sockets.size > (most?.size ?? 0)) most = sockets
    const [oldest] = most ?? []
    if (oldest === undefined) return
    remove(oldest)
    oldest.destroy()
    onDisplaced?.()
  }

  return {
    add(socket) {
      if (entries.size >= max) evictOne()
      const network = toNetworkOf(socket.remoteAddress)
      const timer = setTimeout(() => {
        remove(socket)
        onTimeout(socket)
        socket.destroy()
      }, timeMs)
      entries.set(socket, { network, timer })
      const sockets = byNetwork.get(network)
      if (sockets === undefined) byNetwork.set(network, new Set([socket]))
      else sockets.add(socket)
      socket.once('close', () => remove(socket))
    },
    remove,
    get size() {
      return entries.size
    },
    close() {
      for (const socket of [...entries.keys()]) {
        remove(socket)
        socket.destroy()
      }
    },
  }
}
