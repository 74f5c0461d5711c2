import { type DeviceKind, STALE_AFTER_PERIODS } from '@isotherm/contract/devices'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** How long a command may wait for a device that listens all the time, unless its giver says otherwise, ms. */
const VALIDITY_MS = MINUTE_MS
/** The same for one that sleeps, ms (protocols.md 4.2). */
const SLEEPING_VALIDITY_MS = 48 * HOUR_MS
/** What each command may take a concentrator before the next has its turn, ms. */
export const TURN_MS = 1_000

/** How long a command waits that has `ahead` others of its batch before it on its lane, ms. */
export const toValidityMs = (sleeps: boolean, ahead: number): number =>
  sleeps ? SLEEPING_VALIDITY_MS : VALIDITY_MS + ahead * TURN_MS

/** A client of its own that reports no more often than this, s, sleeps in between. */
const SLEEPS_FROM_S = 300

/** Whether a device is reached only right after it was heard: it has a link of its own and reports seldom. */
export const isSleeping = (device: {
  readonly concentratorId?: number | undefined
  readonly kind: DeviceKind
  readonly periodS: number
}): boolean =>
  device.concentratorId === undefined && device.kind !== 'concentrator' && device.periodS >= SLEEPS_FROM_S

/** When a command is repeated after each attempt, ms (protocols.md 4.2); after the last no more. */
export const RETRY_AFTER_MS: readonly number[] = [30_000, 60_000, 120_000]

/** A command tried longer ago counts as under way no more: the next on its lane has its turn, ms. */
export const ANSWER_MS = 30_000

/** How long after its time is up a device's answer to what was sent may still be on its way, ms. */
export const GRACE_MS = 30_000
/** How long after a server began devices may still be finding it to tell what they did meanwhile, ms. */
export const FOUND_AGAIN_MS = MINUTE_MS

/** A slow actuator's full stroke with room to spare, ms. */
const STROKE_MS = 5 * MINUTE_MS

/** Until when a valve that has begun may move. */
export const toStrokeDeadline = (now: number): number => now + STROKE_MS

/** Until when a reading must confirm what the device said it did, for one that reports every `periodS`. */
export const toConfirmDeadline = (now: number, periodS: number): number =>
  now + STALE_AFTER_PERIODS * periodS * 1_000 + GRACE_MS
