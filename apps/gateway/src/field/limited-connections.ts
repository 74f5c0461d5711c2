import type { Socket } from 'node:net'

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
 * time are limited. Above the limit, the oldest connection of the address with the most connections is closed. Who has something to
 * say does so at once, and leaves this list before others could displace it.
 */
export interface LimitedConnections {
  add(socket: Socket): void
  remove(socket: Socket): void
  readonly size: number
  close(): void
}

interface Entry {
  readonly address: string
  readonly timer: NodeJS.Timeout
}

export function createLimitedConnections({
  max,
  timeMs,
  onTimeout,
  onDisplaced,
}: LimitedConnectionsOptions): LimitedConnections {
  const entries = new Map<Socket, Entry>()
  /** Sockets by address, oldest first. */
  const byAddress = new Map<string, Set<Socket>>()

  function remove(socket: Socket): void {
    const entry = entries.get(socket)
    if (entry === undefined) return
    clearTimeout(entry.timer)
    entries.delete(socket)
    const others = byAddress.get(entry.address)
    others?.delete(socket)
    if (others?.size === 0) byAddress.delete(entry.address)
  }

  function evictOne(): void {
    let most: Set<Socket> | undefined
    for (const sockets of byAddress.values()) if (sockets.size > (most?.size ?? 0)) most = sockets
    const [oldest] = most ?? []
    if (oldest === undefined) return
    remove(oldest)
    oldest.destroy()
    onDisplaced?.()
  }

  return {
    add(socket) {
      if (entries.size >= max) evictOne()
      const address = socket.remoteAddress ?? ''
      const timer = setTimeout(() => {
        remove(socket)
        onTimeout(socket)
        socket.destroy()
      }, timeMs)
      entries.set(socket, { address, timer })
      const sockets = byAddress.get(address)
      if (sockets === undefined) byAddress.set(address, new Set([socket]))
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
