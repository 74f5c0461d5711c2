/** The most that one reading of the clock adds, ms: longer without a reading, the process stood still. */
const MAX_STEP_MS = 500
export const READ_EVERY_MS = 250

/** A clock that goes on only while the process does. */
export interface AwakeClock {
  /** Time since its creation without that in which the process stood still, ms. Read it every READ_EVERY_MS. */
  now(): number
}

/**
 * While the event loop stands still, a client that has sent everything looks like one that is silent. By this clock it has not
 * waited. `read`: a monotonic clock, ms.
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
