import fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionFor, stemAfter } from './backlash.ts'

test('a stem lags half the dead travel behind its motor', () => {
  expect(stemAfter(0.7, 0.6, 0.02)).toBeCloseTo(0.69, 12)
  expect(stemAfter(0.695, 0.69, 0.02)).toBeCloseTo(0.69, 12)
  expect(stemAfter(0.5, 0.69, 0.02)).toBeCloseTo(0.51, 12)
})

test('one move brings a stem to its target, whichever way the motor moved before', () => {
  const opening = fc.double({ min: 0.05, max: 0.95, noNaN: true })
  fc.assert(
    fc.property(opening, opening, fc.double({ min: 0, max: 0.05, noNaN: true }), (wanted, stem, backlash) => {
      expect(stemAfter(positionFor(wanted, stem, backlash), stem, backlash)).toBeCloseTo(wanted, 12)
    }),
  )
})

test('a motor ends at 0 and 1, and does not move a stem that is at its target', () => {
  expect(positionFor(1, 0.5, 0.1)).toBe(1)
  expect(positionFor(0, 0.5, 0.1)).toBe(0)
  expect(positionFor(0.5, 0.5, 0.1)).toBe(0.5)
  expect(positionFor(0.6, 0.5, 0.1)).toBeCloseTo(0.65, 12)
  expect(positionFor(0.4, 0.5, 0.1)).toBeCloseTo(0.35, 12)
})
