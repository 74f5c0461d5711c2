/** A reproducible source of numbers in [0, 1). */
export type Random = () => number

/** A reproducible source with a saveable state: a source created from `state()` continues with the same numbers. */
export interface ResumableRandom {
  readonly draw: Random
  /** An unsigned 32-bit number. */
  readonly state: () => number
}

/** mulberry32: a small, fast, seedable generator; good for scenarios and tests, not for secrets. */
export function createResumableRandom(seed: number): ResumableRandom {
  let state = seed >>> 0
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { draw, state: () => state }
}

/** The same generator without a saveable state. */
export const createRandom = (seed: number): Random => createResumableRandom(seed).draw

/** A random number from the normal distribution (Box–Muller). */
export function sampleNormal(random: Random, mean: number, deviation: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  return mean + deviation * radius * Math.cos(2 * Math.PI * random())
}
