import { connect, type Socket } from 'node:net'
import type { ModbusTcpLine } from '@isotherm/contract/gateway-config'
import { SECOND_MS } from '@isotherm/kernel/durations'
import type { DriverLine, PrepareDriver } from '../../field/driver.ts'

/** First and longest pause before a connection is tried again, ms. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000
const CONNECT_MS = 10_000

/**
 * Connects to a controller and stays connected, with growing pauses between attempts. A connection without answers is
 * closed: the controller may have lost it in a restart, and TCP alone notices that after a quarter of an hour.
 * Returns a function that closes the connection.
 */
function stayConnected(
  { id, host, port, answerS }: ModbusTcpLine,
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
    const giveUp = setTimeout(() => current.destroy(new Error('no connection in time')), CONNECT_MS)
    let unanswered: NodeJS.Timeout | undefined
    current.once('connect', () => {
      clearTimeout(giveUp)
      line.opened({
        send(bytes) {
          current.write(bytes)
          unanswered ??= setTimeout(
            () => current.destroy(new Error(`no answer for ${answerS} s`)),
            answerS * SECOND_MS,
          )
        },
      })
    })
    current.on('data', (chunk: Buffer) => {
      clearTimeout(unanswered)
      unanswered = undefined
      // Only an answer proves that the controller is back: a converter accepts connections also for a dead bus.
      pauseMs = FIRST_PAUSE_MS
      isReported = false
      line.received(chunk)
    })
    current.on('error', (error) => {
      if (!isReported) report(`line ${id}: ${error.message}`)
      isReported = true
      current.destroy()
    })
    current.once('close', () => {
      clearTimeout(giveUp)
      clearTimeout(unanswered)
      line.closed()
      if (isClosed) return
      // Random, so that not all lines reconnect at once after a network failure.
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

/**
 * Driver of controllers and converters by Modbus TCP: the gateway connects to each, with one transaction at a time.
 */
export const prepareModbusTcp: PrepareDriver<'modbus-tcp'> = async ({ report }) => {
  const closers: (() => void)[] = []
  return {
    start(lines) {
      for (const { config, line } of lines) closers.push(stayConnected(config, line, report))
    },
    close: async () => {
      for (const close of closers) close()
    },
  }
}
