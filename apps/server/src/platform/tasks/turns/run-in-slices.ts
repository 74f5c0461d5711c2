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
