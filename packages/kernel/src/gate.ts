/** Runs work as soon as there is a free slot, in the order of the calls, and returns its result or failure. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface GateLimits {
  /** Most concurrent works. */
  readonly running: number
  /** Most waiting works; absent: no limit. */
  readonly waiting?: number
  /** Error for work beyond the limit; default: a RangeError. */
  readonly refuse?: () => Error
}

const tooMany = (): Error => new RangeError('Too much work is waiting already')

/** Runs a fixed number of works concurrently; the others wait. Failed work frees its slot too. */
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
      // The next waiting work takes over the slot, so that newer work cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
