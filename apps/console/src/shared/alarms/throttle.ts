/** Runs a function at once, and then at most once per pause, even if it is requested more often. */
export interface Throttle {
  readonly request: () => void
  /** Drops a run that is still waiting. */
  readonly close: () => void
}

export function createThrottle(
  run: () => void,
  pauseMs: number,
  after: (ms: number, run: () => void) => () => void,
): Throttle {
  let cancel: (() => void) | undefined
  let isRequested = false
  const begin = (): void => {
    run()
    cancel = after(pauseMs, () => {
      cancel = undefined
      if (!isRequested) return
      isRequested = false
      begin()
    })
  }
  return {
    request() {
      if (cancel) isRequested = true
      else begin()
    },
    close() {
      cancel?.()
      cancel = undefined
      isRequested = false
    },
  }
}
