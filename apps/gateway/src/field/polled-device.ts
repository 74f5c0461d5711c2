import { SECOND_MS } from '@isotherm/kernel/durations'
import type { ResolvedDevice } from '@isotherm/profiles/resolve-gateway-config'
import type { PollMark } from '../store/poll-marks.ts'
import { createLearnedTimeOut, type LearnedTimeOut } from './learned-time-out.ts'
import { createPollClock, type PollClock } from './poll-clock.ts'
import type { BusAddress } from './steps.ts'

/** A device of a line and the state of its polls. */
export interface PolledDevice {
  readonly serial: string
  readonly bus: BusAddress
  readonly clock: PollClock
  readonly timeOut: LearnedTimeOut
  /** Pause before a second attempt in the same period, ms; twice as long before the third. */
  readonly retryMs: number
  /** The last period that has its reading or was given up. */
  slot: number
  /** Number of the last request. */
  sequence: number
  /** Attempts in the current period. */
  attempts: number
  /** No attempt before this, Unix ms. */
  notBefore: number
  /** Periods in a row without an answer. */
  failures: number
  /** Last answer, Unix ms. */
  answeredAt: number | undefined
}

/** Attempts per period; a device that was silent for some periods gets one, so that it does not delay the others. */
const ATTEMPTS = 3
const SILENT_AFTER = 3
/** The longest pause before an attempt, in pauses before the second one. */
const MAX_PAUSES = ATTEMPTS - 1

export function createPolledDevice(
  device: ResolvedDevice,
  lineId: string,
  mark: PollMark | undefined,
  firstTimeOutMs: number,
): PolledDevice {
  const periodMs = (device.pollPeriodS ?? device.profileData.pollPeriodS) * SECOND_MS
  return {
    serial: device.serial,
    bus: { profile: device.profileData, address: device.address },
    clock: createPollClock(periodMs, lineId),
    timeOut: createLearnedTimeOut(firstTimeOutMs),
    retryMs: Math.min(periodMs / 4, 10 * SECOND_MS),
    slot: mark?.slot ?? Number.NEGATIVE_INFINITY,
    sequence: mark?.sequence ?? 0,
    attempts: 0,
    notBefore: 0,
    failures: 0,
    answeredAt: undefined,
  }
}

export const isSilent = ({ failures }: PolledDevice): boolean => failures >= SILENT_AFTER
export const hasAttempt = (device: PolledDevice): boolean =>
  device.attempts < (isSilent(device) ? 1 : ATTEMPTS)

/** When the device is to be polled next, Unix ms; not after `nowMs` if it is due. */
export function dueAt(device: PolledDevice, nowMs: number): number {
  const current = device.clock.slotAt(nowMs)
  // The machine's clock was ahead when the last poll was stored.
  if (device.slot > current) device.slot = current
  // The clock went back since the last attempt.
  device.notBefore = Math.min(device.notBefore, nowMs + MAX_PAUSES * device.retryMs)
  const next = device.slot < current ? current : device.slot + 1
  return Math.max(device.clock.startOf(next), device.notBefore)
}

/** Ends a period for the device: it has its reading, or no attempt is left. */
export function endSlot(device: PolledDevice, slot: number, hasAnswered: boolean): void {
  device.slot = slot
  device.attempts = 0
  device.notBefore = 0
  device.failures = hasAnswered ? 0 : device.failures + 1
}
