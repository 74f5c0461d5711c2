import { connect, type Socket } from 'node:net'
import { createLineParser, type LineFormat } from '@isotherm/codecs/stream/line-parser'
import { answerOnBus, type SimulatedDevice } from '../../field/simulated-devices.testkit.ts'

export interface SimulatedUnitOptions {
  readonly host?: string
  readonly port: number
  /** Packet that it sends first. */
  readonly registration: Uint8Array
  readonly devices: readonly SimulatedDevice[]
  readonly formats?: readonly LineFormat[]
  /** Time from a request to its answer, ms. */
  readonly delayMs?: number
  /** Pause before it connects again, ms. */
  readonly reconnectMs?: number
  readonly localAddress?: string
}

/** The other side of the driver: a transparent unit with the devices of its bus. */
export interface SimulatedUnit {
  /** Changes an answer before it is sent; undefined loses it. */
  distort: (answer: Uint8Array) => readonly Uint8Array[] | undefined
  /** Sends bytes that no request caused. */
  readonly say: (bytes: Uint8Array) => void
  /** Cuts the connection behind the answers that are on their way, and holds it down until `plug`. */
  readonly unplug: () => void
  readonly plug: () => void
  readonly isConnected: () => boolean
  readonly close: () => void
}

const ANSWER_MS = 5

/** Connects, registers, answers each request after a while, and connects again after any loss. */
export function simulateUnit(options: SimulatedUnitOptions): SimulatedUnit {
  const { delayMs = ANSWER_MS, reconnectMs = 50, formats = ['cjt188', 'mbus', 'modbus-rtu'] } = options
  let socket: Socket | undefined
  let isPlugged = true
  let timer: NodeJS.Timeout | undefined
  /** Answers that are not yet sent. */
  let pending = 0

  function open(): void {
    if (!isPlugged) return
    const parser = createLineParser({ formats, direction: 'request' })
    const { host = '127.0.0.1', port, localAddress } = options
    const current = connect({
      host,
      port,
      noDelay: true,
      ...(localAddress === undefined ? {} : { localAddress }),
    })
    socket = current
    current.on('connect', () => current.write(options.registration))
    current.on('data', (chunk: Buffer) => {
      if (!isPlugged || socket !== current) return
      for (const { bytes } of parser.push(chunk, performance.now())) {
        const answer = answerOnBus(options.devices, bytes)
        const pieces = (answer && unit.distort(answer)) ?? []
        pending++
        const write = (): void => {
          for (const piece of pieces) current.write(piece)
          pending--
          cutIfUnplugged()
        }
        if (delayMs === 0) write()
        else setTimeout(write, delayMs)
      }
    })
    current.on('error', () => current.destroy())
    current.on('close', () => {
      if (socket !== current) return
      socket = undefined
      if (isPlugged) timer = setTimeout(open, reconnectMs)
    })
  }

  function unplug(): void {
    isPlugged = false
    clearTimeout(timer)
    cutIfUnplugged()
  }

  function cutIfUnplugged(): void {
    if (!isPlugged && pending === 0) socket?.end()
  }

  const unit: SimulatedUnit = {
    distort: (answer) => [answer],
    say: (bytes) => {
      socket?.write(bytes)
    },
    unplug,
    plug() {
      if (isPlugged) return
      isPlugged = true
      open()
    },
    isConnected: () => socket !== undefined && !socket.connecting,
    close: unplug,
  }
  open()
  return unit
}
