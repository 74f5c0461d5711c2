import { setImmediate } from 'node:timers/promises'

/** Runs a generator to its end, and yields to other work of the server at each step. */
export async function runInSlices<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let next = work.next()
  while (!next.done) {
    await setImmediate()
    next = work.next()
  }
  return next.value
}

/** Runs one piece of work at a time, whether the one before succeeded or failed. */
export function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
