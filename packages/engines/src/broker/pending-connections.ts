import type { Socket } from 'node:net'
import { toNetworkOf } from '@isotherm/kernel/machine/network-of'
import { type AwakeClock, createAwakeClock, READ_EVERY_MS } from './awake-clock.ts'

export interface PendingLimits {
  /** Connections that have not signed in, of all clients together. */
  readonly max: number
  /** Those of one network: an IPv4 address or a /64 of IPv6. Many devices share an address behind an exchange of a mobile network. */
  readonly maxPerNetwork: number
  /**
   * Time in which no other connection takes the place of one that signs in, ms; longer than that over a slow mobile network. Time in
   * which this process stood still does not count.
   */
  readonly graceMs: number
}

export const defaultPendingLimits: PendingLimits = { max: 2_000, maxPerNetwork: 1_000, graceMs: 3_000 }

/** So many times as many places as those of a new connection's network make a network a crowd. */
const CROWD = 2

interface Pending {
  readonly socket: Socket
  readonly address: string
  readonly network: string
  /** Of the clock that stands still with this process. */
  readonly since: number
}

/** The connections that have not signed in: they cost memory and handshakes, and anybody can open them. */
export interface PendingConnections {
  readonly count: number
  /**
   * Takes a new connection. If there are too many, it takes the place of the oldest one, of its own network if that has too many; while
   * this one still has its grace, the new one is closed and the result is false. A network with far more places than the new one's gives
   * one up at once. So silent connections of strangers shut nobody out, and devices that all return at once do not displace each other.
   */
  admit(socket: Socket): boolean
  /** The connection has signed in. Also takes the encrypted socket of a connection that was admitted. */
  settle(socket: Socket): void
}

/** Both ends of a connection. The encrypted socket has them too; undefined after its end. */
const toKey = ({ localPort, remoteAddress, remotePort }: Socket): string | undefined =>
  remoteAddress === undefined ? undefined : `${localPort} ${remoteAddress} ${remotePort}`

/** `onDropped`: a connection was closed because there are too many. */
export function createPendingConnections(
  { max, maxPerNetwork, graceMs }: PendingLimits,
  onDropped: (address: string) => void,
  clock: AwakeClock = createAwakeClock(),
): PendingConnections {
  // Maps keep the order of arrival.
  const all = new Map<string, Pending>()
  const networks = new Map<string, Map<string, Pending>>()
  /** Runs while there are connections. */
  let reading: NodeJS.Timeout | undefined

  function remove(key: string): void {
    const network = all.get(key)?.network ?? ''
    all.delete(key)
    networks.get(network)?.delete(key)
    if (networks.get(network)?.size === 0) networks.delete(network)
    if (all.size > 0) return
    clearInterval(reading)
    reading = undefined
  }

  /** The connection whose place a new one of the network needs, and the time for which it keeps the place, ms. */
  function findOldest(network: string): { oldest?: readonly [string, Pending] | undefined; keepMs: number } {
    const own = networks.get(network)
    if (own && own.size >= maxPerNetwork) return { oldest: own.entries().next().value, keepMs: graceMs }
    if (all.size < max) return { keepMs: graceMs }
    const largest = [...networks.values()].reduce((most, each) => (each.size > most.size ? each : most))
    return largest.size > CROWD * ((own?.size ?? 0) + 1)
      ? { oldest: largest.entries().next().value, keepMs: 0 }
      : { oldest: all.entries().next().value, keepMs: graceMs }
  }

  function drop({ socket, address }: Pick<Pending, 'socket' | 'address'>): void {
    onDropped(address)
    socket.destroy()
  }

  return {
    get count() {
      return all.size
    },
    admit(socket) {
      const { remoteAddress: address = '' } = socket
      const key = toKey(socket)
      if (key === undefined) {
        // Its client has left before it was accepted.
        socket.destroy()
        return false
      }
      const [network, now] = [toNetworkOf(address), clock.now()]
      const { oldest, keepMs } = findOldest(network)
      if (oldest && now - oldest[1].since < keepMs) {
        drop({ socket, address })
        return false
      }
      if (oldest) {
        remove(oldest[0])
        drop(oldest[1])
      }
      const pending = { socket, address, network, since: now }
      const own = networks.get(network) ?? new Map<string, Pending>()
      networks.set(network, own.set(key, pending))
      all.set(key, pending)
      reading ??= setInterval(() => clock.now(), READ_EVERY_MS).unref()
      socket.once('close', () => {
        // Another connection with the same ends may have come since.
        if (all.get(key) === pending) remove(key)
      })
      return true
    },
    settle(socket) {
      const key = toKey(socket)
      if (key !== undefined) remove(key)
    },
  }
}
