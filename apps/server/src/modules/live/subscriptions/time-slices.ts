import { setImmediate } from 'node:timers/promises'

/** Waits for one's turn. */
export type TakeTurn = () => Promise<void>

/**
 * Lets one who waits go on per round of the event loop, so that what all connections have to do at the same
 * time leaves room for readings, requests and answers in between.
 */
export function createTurns(): TakeTurn {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
