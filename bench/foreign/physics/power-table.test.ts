import { expect, it } from 'vitest'
import { powerAt, powerTableOf } from './power-table.ts'

it('gives powers of excess temperatures to one part in ten thousand', () => {
  for (const power of [0.1, 0.3, 0.4])
    for (let x = 4; x < 80; x += 0.37)
      expect(Math.abs(powerAt(powerTableOf(power), x) / x ** power - 1)).toBeLessThan(1e-4)
  // 25^0.3 = 2.6265.
  expect(powerAt(powerTableOf(0.3), 25)).toBeCloseTo(2.6265, 4)
})

it('gives no heat to a room that is warmer', () => {
  expect(powerAt(powerTableOf(0.3), -3)).toBe(0)
})
