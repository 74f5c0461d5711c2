/** Never resolves. */
const never = new Promise<never>(() => undefined)

/** Simulates a process that is killed when it reaches `place` for the `nth` time: from then on nothing in it continues. */
export function createDeath<Place extends string>(place: Place, nth: number) {
  let left = nth
  let isDead = false
  const dead = Promise.withResolvers<void>()
  return {
    /** Resolves when the process is killed. */
    dead: dead.promise,
    /** Whether the next `pass` at this place kills the process. */
    isNextAt: (here: Place): boolean => here === place && left === 1,
    /** The process awaits this at every place; after the kill it never resolves. */
    async pass(here: Place): Promise<void> {
      if (isDead) await never
      if (here !== place) return
      left -= 1
      if (left > 0) return
      isDead = true
      dead.resolve()
      await never
    },
  }
}
