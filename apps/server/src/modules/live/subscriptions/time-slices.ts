import { setImmediate } from 'node:timers/promises'

/** Resolves at the start of the next free time slice. */
export type WaitForSlice = () => Promise<void>

/**
 * Grants one time slice per iteration of the event loop. Work of all connections at the same time leaves room for
 * readings, requests and answers in between.
 */
export function createTimeSlices(): WaitForSlice {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
