const gone = new Promise<never>(() => undefined)

/** The death of a process: it is gone without a word at the `nth` time it comes to a place. */
export function createDeath<Place extends string>(place: Place, nth: number) {
  let left = nth
  let isDead = false
  const dead = Promise.withResolvers<void>()
  return {
    /** Resolves when it has come. */
    come: dead.promise,
    /** Whether it comes when the process gets there next. */
    isNextAt: (here: Place): boolean => here === place && left === 1,
    /** To be awaited wherever it may come; from then on nothing gets past any place. */
    async pass(here: Place): Promise<void> {
      if (isDead) await gone
      if (here !== place) return
      left -= 1
      if (left > 0) return
      isDead = true
      dead.resolve()
      await gone
    },
  }
}
