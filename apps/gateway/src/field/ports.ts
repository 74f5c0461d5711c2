import { createServer, type Server, type Socket } from 'node:net'

/** A held port. Connections are closed until `serve` sets their handler. */
export interface HeldPort {
  readonly port: number
  readonly serve: (onSocket: (socket: Socket) => void) => void
  /** Releases the port. It closes when no other holder is left. */
  readonly release: () => Promise<void>
}

/**
 * The ports of the gateway. A new configuration holds its port before the former one releases it. So a change of the
 * lines neither loses a port nor fails because it is in use.
 */
export interface Ports {
  /** Holds a port, and opens it for the first holder. Throws if it cannot be opened. */
  hold(host: string, port: number): Promise<HeldPort>
}

interface Entry {
  readonly server: Server
  readonly host: string
  /** Requested port; 0 for any free one. */
  readonly requested: number
  port: number
  holders: number
  serving: { readonly holder: object; readonly onSocket: (socket: Socket) => void } | undefined
}

export function createPorts(report: (text: string) => void): Ports {
  const entries = new Set<Entry>()

  function listen(host: string, port: number): Promise<Entry> {
    const server = createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 },
      (socket) => {
        if (entry.serving === undefined) socket.destroy()
        else entry.serving.onSocket(socket)
      },
    )
    const entry: Entry = { server, host, requested: port, port, holders: 0, serving: undefined }
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, backlog: 4_096 }, () => {
        server.off('error', reject)
        server.on('error', (error) => report(`port ${port}: ${error.message}`))
        const address = server.address()
        if (typeof address === 'object' && address !== null) entry.port = address.port
        resolve(entry)
      })
    })
  }

  function find(host: string, port: number): Entry | undefined {
    const found = [...entries].find((entry) => entry.requested === port || entry.port === port)
    if (found !== undefined && found.host !== host)
      throw new Error(`port ${found.port} listens on ${found.host}; a restart of the gateway changes that`)
    return found
  }

  return {
    async hold(host, port) {
      const entry = find(host, port) ?? (await listen(host, port))
      entries.add(entry)
      entry.holders++
      const holder = {}
      return {
        port: entry.port,
        serve(onSocket) {
          entry.serving = { holder, onSocket }
        },
        async release() {
          if (entry.serving?.holder === holder) entry.serving = undefined
          entry.holders--
          if (entry.holders > 0) return
          entries.delete(entry)
          await new Promise<void>((resolve) => entry.server.close(() => resolve()))
        },
      }
    },
  }
}
