import { ClickhouseFailure } from './clickhouse-errors.ts'

/** Runs the work as soon as there is room; fails with ClickHouse code 202 when too many already wait. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** Lets a fixed number of works run at once and a fixed number wait, in order of arrival. */
export function createGate(limits: { readonly running: number; readonly waiting: number }): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= limits.running) {
      if (waiting.length >= limits.waiting) {
        throw new ClickhouseFailure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many simultaneous queries.')
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
