import { lowerMedian } from '@isotherm/kernel/statistics'

/** Number of offsets that decide about the clock of a gateway. */
export const MEASURED = 20
/** Fewer offsets are not sufficient. */
const MIN_MEASURED = 5
/** Up to this offset a clock is right, ms (docs/reference/mqtt.md, section 8). */
export const RIGHT_MS = 5_000
/** Up to this offset a wrong clock is reported but not corrected, ms. Above it, instants are corrected. */
const TOLERATED_MS = 120_000

export type ClockState = 'right' | 'off' | 'wrong'

/**
 * Judges a clock by the offsets of its gateway's last live messages: arrival minus the gateway's own clock, ms. The
 * transfer time looks like a slow clock; it is far below the limits.
 */
export function judgeClock(offsets: readonly number[]): {
  readonly state: ClockState
  readonly offsetMs: number
} {
  if (offsets.length < MIN_MEASURED) return { state: 'right', offsetMs: 0 }
  const offsetMs = lowerMedian(offsets) ?? 0
  if (Math.abs(offsetMs) <= RIGHT_MS) return { state: 'right', offsetMs }
  return { state: Math.abs(offsetMs) <= TOLERATED_MS ? 'off' : 'wrong', offsetMs }
}

/**
 * Whether a message with offset `ownMs` was stamped by a clock that is off by `clockMs`. Delay on the way increases the
 * offset of a message, but it cannot arrive before it was sent.
 */
export const isStampedBy = (ownMs: number, clockMs: number): boolean => ownMs >= clockMs - TOLERATED_MS

/** Whether the clock of the gateway was set meanwhile: the message was stamped by a right clock. */
export const isSetSince = (ownMs: number): boolean => Math.abs(ownMs) <= RIGHT_MS
