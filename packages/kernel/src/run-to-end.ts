/** Runs work that yields between its parts to its end, and returns its result. */
export function runToEnd<Result>(work: Generator<unknown, Result>): Result {
  let next = work.next()
  while (!next.done) next = work.next()
  return next.value
}
