import { connect, type Socket } from 'node:net'
import type { ModbusTcpLine } from '@isotherm/contract/gateway-config'
import type { DriverLine, PrepareDriver } from '../../field/driver.ts'

/** First and longest pause before a connection is tried again, ms. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000
const CONNECT_MS = 10_000

/** Holds one connection to a controller; tries again with growing pauses. Returns what closes it. */
function holdConnection(
  { id, host, port }: ModbusTcpLine,
  line: DriverLine,
  report: (text: string) => void,
): () => void {
  let pauseMs = FIRST_PAUSE_MS
  let socket: Socket | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isReported = false

  function open(): void {
    const current = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 })
    socket = current
    const giveUp = setTimeout(() => current.destroy(), CONNECT_MS)
    current.once('connect', () => {
      clearTimeout(giveUp)
      pauseMs = FIRST_PAUSE_MS
      isReported = false
      line.opened({
        send: (bytes) => {
          current.write(bytes)
        },
      })
    })
    current.on('data', (chunk: Buffer) => line.received(chunk))
    current.on('error', (error) => {
      if (!isReported) report(`line ${id}: ${error.message}`)
      isReported = true
      current.destroy()
    })
    current.once('close', () => {
      clearTimeout(giveUp)
      line.closed()
      if (isClosed) return
      // Not all lines at once after a failure of the network.
      timer = setTimeout(open, pauseMs * (0.5 + Math.random()))
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
    })
  }

  open()
  return () => {
    isClosed = true
    clearTimeout(timer)
    socket?.destroy()
  }
}

/** Controllers and converters by Modbus TCP: the gateway connects to each and has one transaction at a time with it. */
export const prepareModbusTcp: PrepareDriver<'modbus-tcp'> = async ({ report }) => {
  const closers: (() => void)[] = []
  return {
    start(lines) {
      for (const { config, line } of lines) closers.push(holdConnection(config, line, report))
    },
    close: async () => {
      for (const close of closers) close()
    },
  }
}
