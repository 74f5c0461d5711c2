import { connect, type TLSSocket } from 'node:tls'
import type { Clock, Timer } from '../clock.ts'
import { toSyslogFrame } from './syslog-frame.ts'

/** Sends the lines of the log to a collector on another machine. */
export interface LogForward {
  write(line: string): void
  /** Sends what waits, for a moment at most, and ends the connection. */
  close(): Promise<void>
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
  /** Memory for the lines that wait, bytes. */
  readonly maxWaitingBytes?: number
}

/** Port of syslog over TLS. */
const STANDARD_PORT = 6514
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
const CLOSE_MS = 2_000
const MAX_WAITING_BYTES = 8_000_000
/** Finds out that the collector has gone without a word. */
const KEEP_ALIVE_MS = 30_000

/**
 * Syslog over TLS (RFC 5425): who takes over this machine cannot change what has left it. The collector acknowledges nothing, so
 * lines on the way are lost when the connection breaks. While it is away lines wait; beyond the memory for them the oldest are
 * dropped, and a line says how many.
 */
export function createLogForward(options: LogForwardOptions): LogForward {
  const { url, clock, onChange, ca } = options
  const { firstRetryMs = FIRST_RETRY_MS, maxWaitingBytes = MAX_WAITING_BYTES } = options
  const { hostname: host, port } = new URL(url)
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let dropped = 0
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

  function open(): void {
    let cause = 'it closed the connection'
    const opening = connect({
      host: host.replace(/^\[|\]$/g, ''),
      port: port === '' ? STANDARD_PORT : Number(port),
      ...(ca !== undefined && { ca }),
    })
    opening.setKeepAlive(true, KEEP_ALIVE_MS)
    opening.once('secureConnect', () => {
      socket = opening
      retryMs = firstRetryMs
      if (isAway) onChange(`the collector of the log is back; ${dropped} lines were dropped`)
      isAway = false
      dropped = 0
      flush()
    })
    opening.on('drain', flush)
    opening.on('error', (error) => {
      cause = error.message
    })
    opening.once('close', () => {
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
    async close() {
      isClosed = true
      retry?.cancel()
      const last = socket
      if (last === undefined) return
      for (const frame of waiting.splice(0)) last.write(frame)
      await new Promise<void>((resolve) => {
        const late = clock.setTimeout(resolve, CLOSE_MS)
        last.once('close', () => {
          late.cancel()
          resolve()
        })
        last.end()
      })
      last.destroy()
    },
  }
}
