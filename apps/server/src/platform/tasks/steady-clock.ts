import { DAY_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../clock.ts'

/** A smaller difference is the correction of a clock that runs fast or slow, ms. */
const SET_MS = 5_000
/** This long after the clock was first set the machine's time is believed, ms. */
const DOUBT_MS = DAY_MS

/** Time that goes on evenly while somebody sets the machine's clock, or NTP does. */
export interface SteadyClock {
  /** The machine's time at the start plus the time that passed since then, Unix ms. */
  now(): number
  /**
   * What must be added to the machine's time to get the time as it was before the clock was set, ms. 0 if it was not set, or
   * more than a day ago. Which of both is right is not known: a clock can be set from right to wrong, or from wrong to right.
   */
  shiftMs(): number
}

export function createSteadyClock(clock: Pick<Clock, 'now' | 'elapsed'>): SteadyClock {
  const startedAt = clock.now() - clock.elapsed()
  /** The machine's time minus the time since the start: changes when the clock is set. */
  let [current, believed, since] = [startedAt, startedAt, Number.NEGATIVE_INFINITY]
  return {
    now: () => startedAt + clock.elapsed(),
    shiftMs() {
      const elapsed = clock.elapsed()
      const base = clock.now() - elapsed
      // Further steps do not prolong the doubt.
      if (Math.abs(base - current) >= SET_MS && Math.abs(current - believed) < SET_MS) since = elapsed
      current = base
      if (elapsed - since >= DOUBT_MS) believed = base
      const shiftMs = believed - base
      return Math.abs(shiftMs) < SET_MS ? 0 : shiftMs
    },
  }
}
