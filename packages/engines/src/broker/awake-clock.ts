/** The most that one reading of the clock adds, ms. If more time has passed since the last reading, the process stood still. */
const MAX_STEP_MS = 500
export const READ_EVERY_MS = 250

/** A clock that stops while the process stands still: while its event loop is blocked, or it is suspended. */
export interface AwakeClock {
  /** Time since its creation, without the time in which the process stood still, ms. Right only if read every READ_EVERY_MS. */
  now(): number
}

/**
 * For time limits of clients: while the process stands still, a client that has sent everything looks silent. By this clock
 * no time has passed for it. `read`: a monotonic clock, ms.
 */
export function createAwakeClock(read: () => number = () => performance.now()): AwakeClock {
  let [awake, readAt] = [0, read()]
  return {
    now() {
      const now = read()
      awake += Math.min(now - readAt, MAX_STEP_MS)
      readAt = now
      return awake
    },
  }
}
