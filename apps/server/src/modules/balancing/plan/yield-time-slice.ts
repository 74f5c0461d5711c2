import { setImmediate } from 'node:timers/promises'

/** Works off what yields now and then; whatever else the server has to do goes on in between. */
export async function giveWay<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let next = work.next()
  while (!next.done) {
    await setImmediate()
    next = work.next()
  }
  return next.value
}

/** Lets one piece of work begin when the one before it has ended, well or not. */
export function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
