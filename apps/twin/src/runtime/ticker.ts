/** Length of a step of the wire's clock, ms. All steps are equally long, so that nothing hangs on how busy a machine is. */
const TICK_MS = 500
const LOOK_EVERY_MS = 100
/** After a sleep of the machine, time goes on from here instead of racing to catch up. */
const LONGEST_DEBT_MS = 5000

/** Cuts the time that goes by into steps. */
export interface Ticker {
  readonly lookEveryMs: number
  /** Makes the steps that are due. */
  readonly look: () => void
  /** Steps go on, of no length: what does not move is still reported. */
  readonly pause: () => void
  readonly resume: () => void
}

/** `step` gets the instant and how many seconds of the wire's clock went by; 0 while paused. */
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
