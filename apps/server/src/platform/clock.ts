/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void
}

/** Source of time. Code that needs the time takes a Clock, so that tests can stop or advance it. */
export interface Clock {
  /** Unix ms, UTC. It jumps when somebody sets the clock of the machine, or NTP does: for instants, not for durations. */
  now(): number
  /** Time since a moment before the start of the process, ms. It never jumps, and is whole. For pauses, time limits and ages. */
  elapsed(): number
  /** Runs `task` once after `delayMs`. A pending timer does not keep the process alive. */
  setTimeout(task: () => void, delayMs: number): Timer
}

/** The machine's clock. No other file of the server reads it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Whole milliseconds like `now`: some of what is computed from both is stored, and sent as an instant.
  elapsed: () => Math.floor(performance.now()),
  setTimeout(task, delayMs) {
    const timeout = setTimeout(task, delayMs)
    timeout.unref()
    return {
      cancel() {
        // Node keeps a list of timers for each duration, and that of a cancelled timer which does not hold the process until it
        // would have ended: the ends of sessions, renewed each half minute, would fill the heap with empty lists.
        timeout.ref()
        clearTimeout(timeout)
      },
    }
  },
}
