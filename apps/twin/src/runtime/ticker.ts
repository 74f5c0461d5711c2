/** Length of a step in wire time, ms. All steps are equal, so that results do not depend on the load of the machine. */
const STEP_MS = 500
const TICK_EVERY_MS = 100
/** Maximum backlog that is caught up, ms. After a longer pause, for example a sleep of the machine, time continues from now. */
const MAX_BACKLOG_MS = 5000

/** Divides elapsed time into steps. */
export interface Ticker {
  readonly tickEveryMs: number
  /** Runs the steps that are due. */
  readonly tick: () => void
  /** Continues with steps of zero length: a paused plant is still reported. */
  readonly pause: () => void
  readonly resume: () => void
}

/** `step` gets the time and the elapsed wire time in seconds; 0 while paused. */
export function createTicker(now: () => number, step: (nowMs: number, wireS: number) => void): Ticker {
  let last = now()
  let backlogMs = 0
  let isPaused = false
  return {
    tickEveryMs: TICK_EVERY_MS,
    tick: () => {
      const at = now()
      backlogMs = Math.min(MAX_BACKLOG_MS, backlogMs + Math.max(0, at - last))
      last = at
      while (backlogMs >= STEP_MS) {
        backlogMs -= STEP_MS
        step(at, isPaused ? 0 : STEP_MS / 1000)
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
