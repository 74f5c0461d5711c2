/** Length of a step in wire time, ms. All steps are equal, so that results do not depend on the load of the machine. */
const TICK_MS = 500
const LOOK_EVERY_MS = 100
/** Longest delay that is caught up, ms. After a longer one, for example a sleep of the machine, time continues from now. */
const LONGEST_DEBT_MS = 5000

/** Divides elapsed time into steps. */
export interface Ticker {
  readonly lookEveryMs: number
  /** Runs the steps that are due. */
  readonly look: () => void
  /** Continues with steps of zero length: a paused plant is still reported. */
  readonly pause: () => void
  readonly resume: () => void
}

/** `step` gets the time and the elapsed wire time in seconds; 0 while paused. */
export function createTicker(now: () => number, step: (nowMs: number, wireS: number) => void): Ticker {
  let last = now()
  let owedMs = 0
  let isPaused = false
  return {
    lookEveryMs: LOOK_EVERY_MS,
    look: () => {
      const at = now()
      owedMs = Math.min(LONGEST_DEBT_MS, owedMs + Math.max(0, at - last))
      last = at
      while (owedMs >= TICK_MS) {
        owedMs -= TICK_MS
        step(at, isPaused ? 0 : TICK_MS / 1000)
      }
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
  }
}
