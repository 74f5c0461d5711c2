import { type DeviceKind, STALE_AFTER_PERIODS } from '@isotherm/contract/devices'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** Default validity of a command to a device that always listens, ms. */
const VALIDITY_MS = MINUTE_MS
/** Default validity of a command to a sleeping device, ms (docs/specs/command.md). */
const SLEEPING_VALIDITY_MS = 48 * HOUR_MS
/** Time that a concentrator may need for one command, ms. */
export const COMMAND_TIME_MS = 1_000

/** Default validity of a command with `ahead` earlier commands of its batch in the same queue, ms. */
export const toValidityMs = (sleeps: boolean, ahead: number): number =>
  sleeps ? SLEEPING_VALIDITY_MS : VALIDITY_MS + ahead * COMMAND_TIME_MS

/**
 * Default validity of a command to a device that its gateway reaches over a radio network, ms. The device listens
 * after its next report and acknowledges with the report after that; one report may be lost.
 */
export const toRadioValidityMs = (periodS: number): number =>
  VALIDITY_MS + STALE_AFTER_PERIODS * periodS * 1_000

/** A directly connected device with at least this period sleeps between its reports, s. */
const SLEEPS_FROM_S = 300

/** Whether a device is reachable only right after a report: it is directly connected and reports rarely. */
export const isSleeping = (device: {
  readonly concentratorId?: number | undefined
  readonly kind: DeviceKind
  readonly periodS: number
}): boolean =>
  device.concentratorId === undefined && device.kind !== 'concentrator' && device.periodS >= SLEEPS_FROM_S

/**
 * Delays before the next attempt, ms, one per attempt (docs/specs/command.md). After the last there is no other
 * attempt.
 */
export const RETRY_AFTER_MS: readonly number[] = [30_000, 60_000, 120_000]

/** Wait for an answer before the next command of the queue is sent, ms. */
export const ANSWER_MS = 30_000

/** How long after its deadline the answer to a sent command may still arrive, ms. */
export const GRACE_MS = 30_000
/** Time after a server start in which devices reconnect and report results from before, ms. */
export const RECONNECT_MS = MINUTE_MS

/** Full stroke of a slow actuator, with margin, ms. */
const STROKE_MS = 5 * MINUTE_MS

/** Deadline for the movement of a valve, Unix ms. */
export const toStrokeDeadline = (now: number): number => now + STROKE_MS

/** Deadline for the reading that confirms a `done`, Unix ms, for a device that reports every `periodS`. */
export const toConfirmDeadline = (now: number, periodS: number): number =>
  now + STALE_AFTER_PERIODS * periodS * 1_000 + GRACE_MS
