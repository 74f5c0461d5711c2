const gone = new Promise<never>(() => undefined)

/** The death of a process at the `nth` time that it reaches a point. */
export function createDeath<Place extends string>(place: Place, nth: number) {
  let left = nth
  let isDead = false
  const dead = Promise.withResolvers<void>()
  return {
    /** Resolves at the death. */
    come: dead.promise,
    /** Whether the next time is the death. */
    isNextAt: (here: Place): boolean => here === place && left === 1,
    /** Awaited at every point; after the death it never resolves. */
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
