import { DAY_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitBackwards } from './log-windows.ts'

test('the pieces cover the range without gaps, from its end to its start', () => {
  fc.assert(
    fc.property(fc.nat({ max: 366 * DAY_MS }), fc.nat({ max: 366 * DAY_MS }), (from, lengthMs) => {
      const to = from + lengthMs
      const pieces = [...splitBackwards({ from, to })]
      const ends = [to, ...pieces.map((piece) => piece.from)]
      expect(pieces.map((piece) => piece.to)).toEqual(ends.slice(0, -1))
      expect(ends.at(-1)).toBe(from)
      expect(pieces.length).toBeLessThan(16)
    }),
  )
})
