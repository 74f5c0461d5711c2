import { DAY_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../clock.ts'

/** A smaller jump is not a set clock but the usual correction of one that runs fast or slow, ms. */
const SET_MS = 5_000
/** Time after the first jump until the machine's new time alone counts, ms. */
const DOUBT_MS = DAY_MS

/**
 * Time that does not jump when a person or NTP sets the machine's clock (ADR 136). It continues while the process stands
 * still; the embedded broker's AwakeClock does not.
 */
export interface SteadyClock {
  /** The machine's time at the start plus the time that passed since then, Unix ms. */
  now(): number
  /**
   * Add it to the machine's time to get the time by the clock from before it was set, ms. 0 if the clock was not set, or was set
   * more than a day ago. Nobody knows which of the two times is right: a clock can be set from right to wrong, or from wrong to
   * right.
   */
  shiftMs(): number
}

export function createSteadyClock(clock: Pick<Clock, 'now' | 'elapsed'>): SteadyClock {
  const startedAt = clock.now() - clock.elapsed()
  /** Instant at which `elapsed` was 0, by the present clock of the machine, Unix ms. Jumps when the clock is set. */
  let current = startedAt
  /** The same instant by the clock from before it was set. */
  let former = startedAt
  /** `elapsed` at the first jump, ms. */
  let jumpedAt = Number.NEGATIVE_INFINITY
  return {
    now: () => startedAt + clock.elapsed(),
    shiftMs() {
      const elapsed = clock.elapsed()
      const base = clock.now() - elapsed
      // Only the first jump starts the day: further ones do not prolong it.
      if (Math.abs(base - current) >= SET_MS && Math.abs(current - former) < SET_MS) jumpedAt = elapsed
      current = base
      if (elapsed - jumpedAt >= DOUBT_MS) former = base
      const shiftMs = former - base
      return Math.abs(shiftMs) < SET_MS ? 0 : shiftMs
    },
  }
}
