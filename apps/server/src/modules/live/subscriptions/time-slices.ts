import { setImmediate } from 'node:timers/promises'

/** Resolves at the start of the next free time slice. */
export type WaitForSlice = () => Promise<void>

/**
 * Grants one time slice per iteration of the event loop, so that readings and requests are handled between the slices
 * even if all connections have work.
 */
export function createTimeSlices(): WaitForSlice {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
