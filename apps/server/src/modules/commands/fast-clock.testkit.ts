import { type Clock, systemClock } from '../../platform/clock.ts'

/** Settings of a test clock relative to the machine's clock. */
export interface ClockSettings {
  /** When it agreed with the machine's but for what it is ahead, Unix ms. */
  readonly agreedAt: number
  /** Speed since then, as a multiple of the machine's clock. */
  readonly factor: number
  aheadMs: number
}

/** A clock that runs faster than the machine's, and jumps when `aheadMs` is set. */
export const createFastClock = (settings: ClockSettings): Clock => ({
  now() {
    const { agreedAt, factor, aheadMs } = settings
    return Math.round(agreedAt + (systemClock.now() - agreedAt) * factor + aheadMs)
  },
  setTimeout: (task, delayMs) => systemClock.setTimeout(task, delayMs / settings.factor),
})
