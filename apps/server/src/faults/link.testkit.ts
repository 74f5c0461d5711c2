import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network connection between a server and something that it uses. */
export interface Link {
  readonly port: number
  /** The URL with the address of the link, and another host name if one is given. */
  lead(url: string, host?: string): string
  /** Ends all connections. */
  cut(): void
  /** No byte of the open connections passes any more, and neither side is notified, as behind a firewall that forgot them. New ones pass. */
  vanish(): void
  /** Each byte takes so long from now on, ms in each direction; bytes that are under way keep their time. */
  delay(ms: number): void
  close(): Promise<void>
}

/** Leads connections to a port of this machine. */
export async function startLink(toPort: number): Promise<Link> {
  const pairs = new Set<readonly Socket[]>()
  let lost: Socket[] = []
  let delayMs = 0

  /** Passes what arrives to the other side in its order. */
  function pass(from: Socket, to: Socket): void {
    const waiting: (() => void)[] = []
    let lastAt = 0
    const later = (run: () => void): void => {
      const now = performance.now()
      lastAt = Math.max(lastAt, now + delayMs)
      waiting.push(run)
      // The first in the queue, because timers of the same moment may run in any order.
      if (lastAt > now || waiting.length > 1) setTimeout(() => waiting.shift()?.(), lastAt - now)
      else waiting.shift()?.()
    }
    const isOpen = () => !lost.includes(to) && !to.destroyed
    from.on('data', (chunk) =>
      later(() => {
        if (!isOpen() || to.write(chunk)) return
        from.pause()
        to.once('drain', () => isOpen() && from.resume())
      }),
    )
    from.on('end', () => later(() => isOpen() && to.end()))
  }

  const end = (pair: readonly Socket[]): void => {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }

  function accept(near: Socket): void {
    const far = connect(toPort, '127.0.0.1')
    const pair = [near, far]
    pairs.add(pair)
    const finish = () => {
      if (pairs.has(pair)) end(pair)
    }
    for (const socket of pair) socket.on('error', finish).on('close', finish)
    pass(near, far)
    pass(far, near)
  }

  const server = createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the link has no port')
  const { port } = address

  return {
    port,
    lead(url, host) {
      const led = new URL(url)
      led.port = String(port)
      if (host !== undefined) led.hostname = host
      return led.href
    },
    cut() {
      for (const pair of pairs) end(pair)
    },
    vanish() {
      lost = [...lost, ...[...pairs].flat()]
      pairs.clear()
      for (const socket of lost) socket.pause()
    },
    delay(ms) {
      delayMs = ms
    },
    async close() {
      for (const pair of pairs) end(pair)
      for (const socket of lost) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
