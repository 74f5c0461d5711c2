import { connect, type TLSSocket } from 'node:tls'
import type { Clock, Timer } from '../clock.ts'
import { toSyslogFrame } from './syslog-frame.ts'

/** Sends the lines of the log to a collector on another machine. */
export interface LogForward {
  write(line: string): void
  /** Sends what waits, for `maxMs` at most (by default two seconds), and ends the connection. */
  close(maxMs?: number): Promise<void>
}

export interface LogForwardOptions {
  /** `syslog+tls://host:port`. */
  readonly url: string
  readonly clock: Clock
  /** Says once that lines wait for the collector, and once that it has them again. */
  readonly onChange: (text: string) => void
  /** Authorities of the collector's certificate; by default those of Node.js. */
  readonly ca?: string
  /** Time until the first attempt to connect again, ms. */
  readonly firstRetryMs?: number
  /** Time for the TLS handshake, ms. */
  readonly handshakeMs?: number
  /** Age at which a connection gets lines, ms. */
  readonly settleMs?: number
  /** Memory for the lines that wait, bytes. */
  readonly maxWaitingBytes?: number
}

/** Port of syslog over TLS. */
const STANDARD_PORT = 6514
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
const CLOSE_MS = 2_000
const HANDSHAKE_MS = 10_000
/** A collector that refuses this machine, for example because it wants a certificate of it, closes only after the handshake. */
const SETTLE_MS = 1_000
const MAX_WAITING_BYTES = 8_000_000
/** Finds out that the collector has gone without a word. */
const KEEP_ALIVE_MS = 30_000

/**
 * Syslog over TLS (RFC 5425): who takes over this machine cannot change what has left it. The collector acknowledges nothing, so
 * lines on the way are lost when the connection breaks. While it is away lines wait; beyond the memory for them the oldest are
 * dropped, and a line says how many. A collector that takes lines too slowly counts as away.
 */
export function createLogForward(options: LogForwardOptions): LogForward {
  const { url, clock, onChange, ca } = options
  const { firstRetryMs = FIRST_RETRY_MS, handshakeMs = HANDSHAKE_MS } = options
  const { settleMs = SETTLE_MS, maxWaitingBytes = MAX_WAITING_BYTES } = options
  const { hostname: host, port } = new URL(url)
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let dropped = 0
  /** The newest connection, also before its handshake. */
  let newest: TLSSocket | undefined
  /** A connection that gets lines. */
  let socket: TLSSocket | undefined
  let isAway = false
  let isClosed = false
  let retryMs = firstRetryMs
  let retry: Timer | undefined

  function add(frame: Buffer): void {
    waiting.push(frame)
    waitingBytes += frame.length
    while (waitingBytes > maxWaitingBytes) {
      waitingBytes -= waiting.shift()?.length ?? waitingBytes
      dropped += 1
    }
    if (dropped === 0) return
    socket?.destroy(new Error('it takes lines too slowly'))
    socket = undefined
  }

  /** Sends until the connection is full; it says when it has room again. */
  function flush(): void {
    while (socket && waiting.length > 0 && !socket.writableNeedDrain) {
      const frame = waiting.shift()
      if (frame === undefined) return
      waitingBytes -= frame.length
      socket.write(frame)
    }
  }

  function reconnect(cause: string): void {
    if (isClosed) return
    if (!isAway) onChange(`the collector of the log is away (${cause}); lines wait for it`)
    isAway = true
    retry = clock.setTimeout(open, retryMs)
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)
  }

  /** Takes a connection that has lived for a while into use. */
  function settle(opened: TLSSocket): void {
    if (isClosed) return
    socket = opened
    retryMs = firstRetryMs
    const text = `the collector of the log is back; ${dropped} lines were dropped`
    dropped = 0
    if (isAway) onChange(text)
    isAway = false
    flush()
  }

  function open(): void {
    let cause = 'it closed the connection'
    const opening = connect({
      host: host.replace(/^\[|\]$/g, ''),
      port: port === '' ? STANDARD_PORT : Number(port),
      ...(ca !== undefined && { ca }),
    })
    newest = opening
    let wait = clock.setTimeout(
      () => opening.destroy(new Error(`no TLS handshake within ${handshakeMs} ms`)),
      handshakeMs,
    )
    opening.setKeepAlive(true, KEEP_ALIVE_MS)
    opening.once('secureConnect', () => {
      wait.cancel()
      wait = clock.setTimeout(() => settle(opening), settleMs)
    })
    opening.on('drain', flush)
    opening.on('error', (error) => {
      cause = error.message
    })
    opening.once('close', () => {
      wait.cancel()
      newest = undefined
      socket = undefined
      reconnect(cause)
    })
    opening.resume()
  }

  open()
  return {
    write(line) {
      add(toSyslogFrame(line, clock.now()))
      flush()
    },
    async close(maxMs = CLOSE_MS) {
      isClosed = true
      retry?.cancel()
      const last = newest
      if (last === undefined) return
      const sendRest = () => {
        for (const frame of waiting.splice(0)) last.write(frame)
        last.end()
      }
      await new Promise<void>((resolve) => {
        const late = clock.setTimeout(resolve, maxMs)
        last.once('close', () => {
          late.cancel()
          resolve()
        })
        if (last.authorized) sendRest()
        else last.once('secureConnect', sendRest)
      })
      last.destroy()
    },
  }
}
