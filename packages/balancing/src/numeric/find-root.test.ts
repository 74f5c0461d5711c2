import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRoot } from './find-root.ts'

test('a root is found in few calls', () => {
  let calls = 0
  const root = findRoot(0, 10, 1e-9, (x) => {
    calls++
    return 2 - x ** 1.3
  })
  expect(root).toBeCloseTo(2 ** (1 / 1.3), 8)
  expect(calls).toBeLessThan(16)
})

test('without a root inside, the nearer end is returned', () => {
  expect(findRoot(1, 2, 1e-9, (x) => -x)).toBe(1)
  expect(findRoot(1, 2, 1e-9, (x) => x)).toBe(2)
})

test('any falling function is solved to the tolerance, however strong its curvature', () => {
  const real = fc.double({ min: 0.01, max: 0.99, noNaN: true })
  fc.assert(
    fc.property(real, fc.double({ min: 0.1, max: 9, noNaN: true }), (wanted, power) => {
      const root = findRoot(0, 1, 1e-10, (x) => wanted ** power - x ** power)
      expect(Math.abs(root - wanted)).toBeLessThan(1e-6)
    }),
  )
})
