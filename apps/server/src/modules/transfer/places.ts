/**
 * Lets at most `count` sequences be read at once; others wait until one is read to its end or given up. A place is
 * taken when the first item is asked for.
 */
export function createPlaces(count: number) {
  const waiting: (() => void)[] = []
  let free = count

  async function take(): Promise<void> {
    if (free > 0) {
      free -= 1
      return
    }
    const turn = Promise.withResolvers<void>()
    waiting.push(turn.resolve)
    await turn.promise
  }

  function give(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async function* inPlace<Item>(make: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    await take()
    try {
      yield* make()
    } finally {
      give()
    }
  }
}
