/** Runs work as soon as there is room, in the order asked; its result or failure is the work's own. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface GateLimits {
  /** Most works that run at once. */
  readonly running: number
  /** Most works that wait for room; any number when absent. */
  readonly waiting?: number
  /** What one too many is refused with; a RangeError when absent. */
  readonly refuse?: () => Error
}

const tooMany = (): Error => new RangeError('Too much work is waiting already')

/** Lets a fixed number of works run at once, the others wait. Work that fails makes room as any other. */
export function createGate({ running: most, waiting: mostWaiting, refuse = tooMany }: GateLimits): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running += 1
    else if (mostWaiting !== undefined && waiting.length >= mostWaiting) throw refuse()
    else await new Promise<void>((proceed) => waiting.push(proceed))
    try {
      return await work()
    } finally {
      // Whoever waits takes over the place: nobody who asks meanwhile can come before him.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
