import { STALE_AFTER_PERIODS } from '@isotherm/contract/devices'

/** How long a command may wait for its device unless its giver says otherwise, ms. */
export const DEFAULT_VALIDITY_MS = 10 * 60_000

/** When a command is repeated after each attempt, ms (protocols.md 4.2); after the last no more. */
const RETRY_AFTER_MS: readonly number[] = [30_000, 60_000, 120_000]

/** Instant of the next attempt after `attempts` earlier ones and the present one, or null for none. */
export function planNextAttempt(attempts: number, now: number): number | null {
  const wait = RETRY_AFTER_MS[attempts]
  return wait === undefined ? null : now + wait
}

/** A slow actuator's full stroke with room to spare, ms. */
const STROKE_MS = 5 * 60_000

/** Until when a valve that has begun may move. */
export const toStrokeDeadline = (now: number): number => now + STROKE_MS

const GRACE_MS = 30_000

/** Until when a reading must confirm what the device said it did, for one that reports every `periodS`. */
export const toConfirmDeadline = (now: number, periodS: number): number =>
  now + STALE_AFTER_PERIODS * periodS * 1_000 + GRACE_MS
