import { type Clock, systemClock } from '../../platform/clock.ts'

/** Settings of a test clock relative to the machine's clock. */
export interface ClockSettings {
  /** When it showed the machine's time plus `aheadMs`, Unix ms. */
  readonly syncedAt: number
  /** Speed since then, as a multiple of the machine's clock. */
  readonly factor: number
  aheadMs: number
}

/** A clock that runs faster than the machine's, and jumps when `aheadMs` is set. */
export const createFastClock = (settings: ClockSettings): Clock => ({
  now() {
    const { syncedAt, factor, aheadMs } = settings
    return Math.round(syncedAt + (systemClock.now() - syncedAt) * factor + aheadMs)
  },
  elapsed: () => Math.round(systemClock.elapsed() * settings.factor),
  setTimeout: (task, delayMs) => systemClock.setTimeout(task, delayMs / settings.factor),
})
