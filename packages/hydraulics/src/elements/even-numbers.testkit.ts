import fc from 'fast-check'

/**
 * Numbers between two bounds: nine in ten spread evenly, the tenth from fc.double. fc.double alone spreads over the exponents:
 * nearly all of its numbers between 0 and 1 are tiny.
 */
export const anyNumber = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.integer({ min: 0, max: 2 ** 30 }).map((share) => min + ((max - min) * share) / 2 ** 30),
    },
    { weight: 1, arbitrary: fc.double({ min, max, noNaN: true }) },
  )
