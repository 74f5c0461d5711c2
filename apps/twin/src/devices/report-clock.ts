import type { Random } from '@isotherm/kernel/random'

/** Part of the period by which each report may come early or late. */
const JITTER = 0.1

/** When each device of a concentrator speaks next. */
export interface ReportClock {
  /** Whether it is time; if so the next time is set. */
  readonly takeTurn: (serial: string, periodS: number, nowMs: number) => boolean
  /** Makes a device speak at the next opportunity, as firmware does after an event. */
  readonly hurry: (serial: string) => void
}

/** Devices start spread over their period, as they would be in a field that nobody switched on at once. */
export function createReportClock(random: Random): ReportClock {
  const due = new Map<string, number>()
  return {
    takeTurn: (serial, periodS, nowMs) => {
      const at = due.get(serial)
      if (at === undefined) {
        due.set(serial, nowMs + random() * periodS * 1000)
        return false
      }
      if (nowMs < at) return false
      due.set(serial, nowMs + periodS * 1000 * (1 + JITTER * (2 * random() - 1)))
      return true
    },
    hurry: (serial) => due.set(serial, 0),
  }
}
