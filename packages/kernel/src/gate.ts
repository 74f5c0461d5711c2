/** Runs a task as soon as a slot is free, in the order of the calls. Returns its result or throws its failure. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface GateLimits {
  /** Maximum number of concurrent tasks. */
  readonly running: number
  /** Maximum number of waiting tasks; absent: no limit. */
  readonly waiting?: number
  /** Error for a task beyond the limit; default: a RangeError. */
  readonly refuse?: () => Error
}

const tooMany = (): Error => new RangeError('Too much work is waiting already')

/** Runs a limited number of tasks concurrently; the others wait. A failed task frees its slot too. */
export function createGate({ running: most, waiting: maxWaiting, refuse = tooMany }: GateLimits): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running += 1
    else if (maxWaiting !== undefined && waiting.length >= maxWaiting) throw refuse()
    else await new Promise<void>((proceed) => waiting.push(proceed))
    try {
      return await work()
    } finally {
      // The next waiting task gets the slot directly, so that a newer task cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
