import { checkCjt } from '../cjt188/frame.ts'
import { checkDlt } from '../dlt645/frame.ts'
import { ACK, checkMbus } from '../mbus/frame.ts'
import { checkRtu, checkTcp, type Direction } from '../modbus/frame.ts'

export type LineFormat = 'cjt188' | 'dlt645' | 'mbus' | 'modbus-rtu' | 'modbus-tcp'

/** One whole frame of a line, with its own copy of the bytes. `ack` is the single byte E5. */
export interface LineFrame {
  readonly format: LineFormat
  readonly bytes: Uint8Array
  readonly isAck: boolean
}

export interface LineParserOptions {
  /** Formats on the line in the order in which they are tried at each byte. */
  readonly formats: readonly LineFormat[]
  /** Which way the frames go; Modbus needs it. Default: replies. */
  readonly direction?: Direction
  /** Silence after which the bytes of an unfinished frame are given up, ms. Default 500. */
  readonly silenceMs?: number
}

/** Bytes that a parser stores at most. The longest frame of a format has 269. */
export const MAX_BUFFER = 512
const DEFAULT_SILENCE_MS = 500
const WAKE_UP = 0xfe

/**
 * Finds frames in the bytes of one line, in whatever pieces they arrive. At a byte where no format has a valid frame it moves on by
 * one byte, so it never skips the start of a frame behind a false one. The caller gives the time; the parser has no clock.
 */
export interface LineParser {
  /** Adds bytes that arrived at `nowMs` (any monotonic clock) and returns the frames that are whole now. */
  push(bytes: Uint8Array, nowMs: number): readonly LineFrame[]
  /**
   * Call it while nothing arrives. After the silence the bytes of an unfinished frame are searched for whole frames within, and then
   * dropped.
   */
  tick(nowMs: number): readonly LineFrame[]
  /** Bytes that were in no frame so far. Wake-up bytes directly before a frame do not count. */
  readonly skipped: number
  /** Bytes that wait for the rest of their frame. */
  readonly pending: number
}

export function createLineParser({
  formats,
  direction = 'reply',
  silenceMs = DEFAULT_SILENCE_MS,
}: LineParserOptions): LineParser {
  const buffer = new Uint8Array(MAX_BUFFER)
  const hasMbus = formats.includes('mbus')
  let used = 0
  let skipped = 0
  /** Wake-up bytes that a frame may follow. */
  let wakeUps = 0
  let lastMs = Number.NEGATIVE_INFINITY
  /** A frame may start here: after silence, wake-up bytes or a frame. Elsewhere E5 is any byte of noise, not an acknowledgement. */
  let isClean = true

  const check = (format: LineFormat, start: number): number => {
    switch (format) {
      case 'cjt188':
        return checkCjt(buffer, start, used)
      case 'dlt645':
        return checkDlt(buffer, start, used)
      case 'mbus':
        return checkMbus(buffer, start, used)
      case 'modbus-rtu':
        return checkRtu(buffer, start, used, direction)
      case 'modbus-tcp':
        return checkTcp(buffer, start, used)
    }
  }

  const take = (start: number, size: number, format: LineFormat, isAck: boolean): LineFrame => ({
    format,
    isAck,
    bytes: buffer.slice(start, start + size),
  })

  const drop = (count: number): void => {
    buffer.copyWithin(0, count, used)
    used -= count
  }

  const giveUp = (): void => {
    skipped += wakeUps
    wakeUps = 0
  }

  /** Finds frames from the start of the buffer on. `isLast`: nothing more will come, so unfinished frames do not count. */
  const scan = (isLast: boolean, frames: LineFrame[]): void => {
    let at = 0
    scanning: while (at < used) {
      let isOpen = false
      for (const format of formats) {
        const size = check(format, at)
        if (size > 0) {
          frames.push(take(at, size, format, false))
          at += size
          isClean = true
          wakeUps = 0
          continue scanning
        }
        isOpen ||= size < 0
      }
      if (isClean && buffer[at] === ACK && hasMbus) {
        frames.push(take(at, 1, 'mbus', true))
        at++
        wakeUps = 0
        continue
      }
      if (isOpen && !isLast) break
      wakeUps++
      if (buffer[at] !== WAKE_UP) {
        isClean = false
        giveUp()
      }
      at++
    }
    drop(at)
    if (isLast) giveUp()
  }

  const settle = (nowMs: number, frames: LineFrame[]): void => {
    if (nowMs - lastMs < silenceMs) return
    scan(true, frames)
    isClean = true
  }

  return {
    push(bytes, nowMs) {
      const frames: LineFrame[] = []
      settle(nowMs, frames)
      lastMs = nowMs
      // In pieces, so that a chunk of any size fits: what is pending is shorter than the longest frame.
      for (let from = 0; from < bytes.length; ) {
        const size = Math.min(bytes.length - from, MAX_BUFFER - used)
        buffer.set(bytes.subarray(from, from + size), used)
        used += size
        from += size
        scan(false, frames)
        // Not reached by the formats of today. It bounds the buffer whatever a format says.
        if (used === MAX_BUFFER) scan(true, frames)
      }
      return frames
    },
    tick(nowMs) {
      const frames: LineFrame[] = []
      settle(nowMs, frames)
      return frames
    },
    get skipped() {
      return skipped
    },
    get pending() {
      return used
    },
  }
}
