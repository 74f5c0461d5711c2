import type { Random } from '@isotherm/kernel/random'

/** Part of the period by which each report may come early or late. */
const JITTER = 0.1

/** When each device of a concentrator speaks next, Unix ms, by the device's place in it; NaN: not yet decided. */
export interface ReportClock {
  readonly dueMs: Float64Array
}

/** Nothing is due yet: a device that is switched on waits for some part of its first period. */
export const createReportClock = (devices: number): ReportClock => ({
  dueMs: new Float64Array(devices).fill(Number.NaN),
})

/**
 * Whether it is a device's turn; if so the next one is set. Devices start spread over their period, as they would be
 * in a field that nobody switched on at once.
 */
export function takeTurn(
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

/** Makes a device speak at the next opportunity, as firmware does after an event. */
export function hurry({ dueMs }: ReportClock, device: number): void {
  dueMs[device] = 0
}
