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

/** Root of a function between 0 and 1, and the number of calls. */
function countCalls(falling: (x: number) => number): readonly [root: number, calls: number] {
  let calls = 0
  const root = findRoot(0, 1, 1e-9, (x) => {
    calls++
    return falling(x)
  })
  return [root, calls]
}

test.each([
  ['flat at the low end', 0.3, (x: number) => 0.3 ** 9 - x ** 9],
  ['flat at the high end', 0.7, (x: number) => (1 - x) ** 9 - 0.3 ** 9],
  ['steep at the high end', 0.2, (x: number) => 1 - Math.exp(20 * (x - 0.2))],
  ['steep at the low end', 0.8, (x: number) => Math.exp(-20 * (x - 0.8)) - 1],
] as const)('a function that is %s is solved in at most 20 calls', (_name, wanted, falling) => {
  const [root, calls] = countCalls(falling)
  expect(Math.abs(root - wanted)).toBeLessThan(1e-9)
  expect(calls).toBeLessThanOrEqual(20)
})

test('a straight line is solved in one step, and a jump in at most 100', () => {
  expect(countCalls((x) => 0.3 - x)).toEqual([0.3, 3])
  const [root, calls] = countCalls((x) => (x < 0.7 ? 1 : -1e-6))
  expect(root).toBeCloseTo(0.7, 6)
  expect(calls).toBe(102)
})

test('a root at an end is returned without a step', () => {
  expect(countCalls((x) => -x)).toEqual([0, 1])
  expect(countCalls((x) => 1 - x)).toEqual([1, 2])
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
