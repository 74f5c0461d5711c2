/** Runs something at once and, however often it is asked for meanwhile, not again before a time has passed. */
export interface Throttle {
  readonly ask: () => void
  /** What was asked for and has not run yet does not run any more. */
  readonly close: () => void
}

export function createThrottle(
  run: () => void,
  pauseMs: number,
  after: (ms: number, run: () => void) => () => void,
): Throttle {
  let cancel: (() => void) | undefined
  let isAsked = false
  const begin = (): void => {
    run()
    cancel = after(pauseMs, () => {
      cancel = undefined
      if (!isAsked) return
      isAsked = false
      begin()
    })
  }
  return {
    ask() {
      if (cancel) isAsked = true
      else begin()
    },
    close() {
      cancel?.()
      cancel = undefined
      isAsked = false
    },
  }
}
