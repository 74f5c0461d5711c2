import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLocalInput } from './local-input.ts'

test('what the field shows is read back as the same second', () => {
  const instant = fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }).map((seconds) => seconds * 1_000)
  fc.assert(
    fc.property(instant, (at) => {
      // An hour that a change of clocks repeats is written twice and read as one of the two.
      const off = Math.abs(Date.parse(toLocalInput(at)) - at)
      expect([0, 3_600_000]).toContain(off)
    }),
  )
})
