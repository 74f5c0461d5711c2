import type { Random } from '@isotherm/kernel/random'

/** Jitter of each report, as a share of the period. */
const JITTER = 0.1

/** Time of the next report of each device by its index, Unix ms; NaN: not decided yet. */
export interface ReportClock {
  readonly dueMs: Float64Array
}

/** A clock without due reports: after start a device waits for a part of its first period. */
export const createReportClock = (devices: number): ReportClock => ({
  dueMs: new Float64Array(devices).fill(Number.NaN),
})

/**
 * Whether a device's report is due; if so, schedules the next one. First reports are distributed over the period, as in a field
 * that was not switched on at once.
 */
export function takeDueReport(
  { dueMs }: ReportClock,
  device: number,
  periodMs: number,
  nowMs: number,
  random: Random,
): boolean {
  const at = dueMs[device] ?? Number.NaN
  if (nowMs < at) return false
  if (Number.isNaN(at)) {
    dueMs[device] = nowMs + random() * periodMs
    return false
  }
  dueMs[device] = nowMs + periodMs * (1 + JITTER * (2 * random() - 1))
  return true
}

/** Makes the report of a device due immediately, as firmware does after an event. */
export function makeDue({ dueMs }: ReportClock, device: number): void {
  dueMs[device] = 0
}
