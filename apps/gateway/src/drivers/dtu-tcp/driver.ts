import type { Socket } from 'node:net'
import type { DtuListener } from '@isotherm/contract/gateway-config'
import { HOUR_MS, SECOND_MS } from '@isotherm/kernel/durations'
import type { ConfiguredLine, DriverLine, DriverNeeds, PrepareDriver } from '../../field/driver.ts'
import { createLimitedConnections } from '../../field/limited-connections.ts'
import type { Ports } from '../../field/ports.ts'
import { createAllowedNetworks } from './allowed-networks.ts'
import { createRegistrationIndex, findRegistration, toRegistrationPacket } from './registration.ts'

/** Maximum number of connections without a registration packet. */
const MAX_UNREGISTERED = 1_000
/** Maximum number of unknown units and addresses that are reported per hour, so that scans of the port do not fill the log. */
const MAX_REPORTED = 100
const REPORTED_MS = HOUR_MS

interface Unit {
  readonly id: string
  readonly line: DriverLine
  socket: Socket | undefined
  /** When bytes last arrived from it, ms of a monotonic clock. */
  readAt: number
}

/** Receiver of the connections of units. */
interface Reception {
  readonly accept: (socket: Socket) => void
  readonly close: () => void
}

/**
 * Receives transparent units (DTU) over TCP. Each unit connects, sends its registration packet, and then passes bytes
 * to and from its bus. A packet that equals its heartbeat or its registration is not passed to the bus. A later
 * connection with the same registration replaces the earlier one, which is dead in most cases.
 */
function receiveUnits(
  dtu: DtuListener,
  lines: readonly ConfiguredLine<'dtu-tcp'>[],
  { report, onUnknownDevice }: Pick<DriverNeeds, 'report' | 'onUnknownDevice'>,
): Reception {
  const { idleS } = dtu
  const heartbeatHex = dtu.heartbeatHex?.toLowerCase()
  const units = lines.map(({ config: { id, registration }, line }) => {
    const unit: Unit = { id, line, socket: undefined, readAt: 0 }
    return { packet: toRegistrationPacket(dtu, { registration }), found: unit }
  })
  const index = createRegistrationIndex(units)
  const isAllowed = createAllowedNetworks(dtu.networks)
  const reported = new Set<string>()
  let reportedFrom = performance.now()
  /** Bytes of the connections that are not registered yet. */
  const sent = new WeakMap<Socket, Buffer>()
  const unregistered = createLimitedConnections({
    max: MAX_UNREGISTERED,
    timeMs: dtu.registrationS * SECOND_MS,
    onTimeout(socket) {
      const bytes = sent.get(socket)
      if (bytes !== undefined) reportUnknown(bytes, socket.remoteAddress ?? '')
    },
  })

  function reportUnknown(bytes: Uint8Array, address: string): void {
    const registration = findRegistration(dtu, bytes)
    if (registration !== undefined) onUnknownDevice({ address: registration })
    const name = Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/[^ -~]/g, '.')
      .slice(0, 64)
    reportOnce(name, `a unit that no line has connected from ${address}: "${name}"`)
  }

  /** Reports what is the matter with one unit or address once an hour. */
  function reportOnce(about: string, text: string): void {
    if (performance.now() - reportedFrom > REPORTED_MS) {
      reported.clear()
      reportedFrom = performance.now()
    }
    if (reported.has(about) || reported.size >= MAX_REPORTED) return
    reported.add(about)
    report(text)
  }

  function attach(unit: Unit, socket: Socket, packetHex: string, rest: Uint8Array): void {
    const former = unit.socket
    unit.socket = socket
    unit.readAt = performance.now()
    former?.destroy()
    unit.line.opened({
      inserts: [packetHex, ...(heartbeatHex === undefined ? [] : [heartbeatHex])].map((hex) =>
        Buffer.from(hex, 'hex'),
      ),
      send: (bytes) => {
        socket.write(bytes)
      },
    })
    const isOfBus = (chunk: Buffer): boolean => {
      if (chunk.length > 64) return true
      const hex = chunk.toString('hex')
      return hex !== heartbeatHex && hex !== packetHex
    }
    socket.on('data', (chunk: Buffer) => {
      unit.readAt = performance.now()
      if (isOfBus(chunk)) unit.line.received(chunk)
    })
    socket.once('close', () => {
      if (unit.socket !== socket) return
      unit.socket = undefined
      unit.line.closed()
    })
    if (rest.length > 0) unit.line.received(rest)
  }

  function accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const { remoteAddress } = socket
    if (!isAllowed(remoteAddress)) {
      reportOnce(`address ${remoteAddress}`, `a connection of ${remoteAddress} is in no network of units`)
      socket.destroy()
      return
    }
    unregistered.add(socket)
    const name = (chunk: Buffer): void => {
      const bytes = Buffer.concat([sent.get(socket) ?? Buffer.alloc(0), chunk])
      sent.set(socket, bytes)
      const outcome = index.find(bytes)
      if (outcome.kind === 'incomplete') return
      socket.off('data', name)
      unregistered.remove(socket)
      sent.delete(socket)
      if (outcome.kind === 'known') attach(outcome.found, socket, outcome.packetHex, outcome.rest)
      else {
        reportUnknown(bytes, socket.remoteAddress ?? '')
        socket.destroy()
      }
    }
    socket.on('data', name)
  }

  // Only received bytes count: sent bytes wait in the kernel for a quarter of an hour before a dead connection fails.
  const sweep = setInterval(() => {
    const since = performance.now() - 1000 * idleS
    for (const { found } of units) if (found.readAt < since) found.socket?.destroy()
  }, 250 * idleS)
  return {
    accept,
    close() {
      clearInterval(sweep)
      unregistered.close()
      for (const { found } of units) found.socket?.destroy()
    },
  }
}

/** Driver of transparent units (DTU) over TCP: listens on their port and passes their connections to the lines. */
export const createDtuTcp =
  (ports: Ports): PrepareDriver<'dtu-tcp'> =>
  async ({ config: { dtu }, report, onUnknownDevice }) => {
    if (dtu === undefined) return { start: () => undefined, close: async () => undefined }
    const held = await ports.hold(dtu.host, dtu.port)
    let reception: Reception | undefined
    return {
      port: held.port,
      start(lines) {
        reception = receiveUnits(dtu, lines, { report, onUnknownDevice })
        held.serve(reception.accept)
      },
      async close() {
        const released = held.release()
        reception?.close()
        await released
      },
    }
  }
