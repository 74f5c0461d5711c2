import { lowerMedian } from '@isotherm/kernel/statistics'

/** Offsets a node's clock is judged by. */
export const MEASURED = 20
/** Fewer say nothing of a clock. */
const LEAST_MEASURED = 5
/** Up to this a clock is right, ms (protocols.md 4.2). */
export const RIGHT_MS = 5_000
/** Up to this it is told and let be; above, instants are corrected, ms. */
const TOLERATED_MS = 120_000

export type ClockState = 'right' | 'off' | 'wrong'

/**
 * What the offsets of a node's last live messages, arrival less its own clock in ms, say of its clock. The way of a
 * message takes time as well, which nothing tells apart from a slow clock; it is far below what counts.
 */
export function judgeClock(offsets: readonly number[]): {
  readonly state: ClockState
  readonly offsetMs: number
} {
  if (offsets.length < LEAST_MEASURED) return { state: 'right', offsetMs: 0 }
  const offsetMs = lowerMedian(offsets) ?? 0
  if (Math.abs(offsetMs) <= RIGHT_MS) return { state: 'right', offsetMs }
  return { state: Math.abs(offsetMs) <= TOLERATED_MS ? 'off' : 'wrong', offsetMs }
}

/**
 * Whether a message of its own offset was stamped by a clock that is wrong by `clockMs`: it may have been under way for
 * long, which makes its offset greater, but it cannot have arrived before it was sent.
 */
export const isStampedBy = (ownMs: number, clockMs: number): boolean => ownMs >= clockMs - TOLERATED_MS

/** Whether the node's clock was set since: the message was stamped by one that is right. */
export const isSetSince = (ownMs: number): boolean => Math.abs(ownMs) <= RIGHT_MS
