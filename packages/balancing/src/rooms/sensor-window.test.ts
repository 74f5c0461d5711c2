import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFrozen, judgePair, readWindow, WATER_LIMITS } from './sensor-window.ts'

const QUARTER_S = 900
const series = (...value: number[]) => ({ atS: value.map((_, index) => (index + 1) * QUARTER_S), value })
const window = { fromS: 0, untilS: 8 * QUARTER_S, leastReadings: 3 }

test('the value of a window is the median of its readings', () => {
  const value = readWindow(series(40, 40.2, 40.1, 40.4, 90), WATER_LIMITS, { ...window, untilS: 3600 })
  expect(value).toEqual({ verdict: 'good', value: 40.150000000000006, range: expect.closeTo(0.4), count: 4 })
})

test('a spike and a value out of range do not count, a real fall of the temperature does', () => {
  const spiked = readWindow(series(40, 40, 85, 40.2, 0, 40.2), WATER_LIMITS, window)
  expect(spiked).toMatchObject({ verdict: 'good', count: 4 })
  expect(spiked.range).toBeCloseTo(0.2, 9)
  expect(readWindow(series(40, 39, 38, 37, 36), WATER_LIMITS, window).count).toBe(5)
})

test('silence, impossible values and jumps are distinguished', () => {
  expect(readWindow(series(40, 40), WATER_LIMITS, window).verdict).toBe('silent')
  expect(readWindow(series(0, 0, 0, 40), WATER_LIMITS, window).verdict).toBe('out-of-range')
  expect(readWindow(series(20, 80, 20, 80), WATER_LIMITS, window)).toMatchObject({
    verdict: 'jumping',
    value: Number.NaN,
  })
})

test('if less than half of the readings are wrong, the median stays within the range of the others', () => {
  const good = fc.array(fc.double({ min: 39, max: 41, noNaN: true }), { minLength: 6, maxLength: 12 })
  const wrong = fc.array(fc.double({ min: -1e3, max: 1e3 }), { minLength: 0, maxLength: 5 })
  fc.assert(
    fc.property(good, wrong, (right, others) => {
      const value = [...others, ...right]
      const read = readWindow(
        { atS: value.map((_, index) => index + 1), value },
        { ...WATER_LIMITS, mostPerHour: 1e9 },
        window,
      )
      expect(read.value).toBeGreaterThanOrEqual(39)
      expect(read.value).toBeLessThanOrEqual(41)
    }),
  )
})

test('a sensor that does not change while others do is frozen; if none changes, none is frozen', () => {
  expect(findFrozen([0.6, 0, 0.5, 0.7, Number.NaN], 0.1)).toEqual([1])
  expect(findFrozen([0, 0, 0.1], 0.1)).toEqual([])
})

test('a return warmer than the supply means swapped sensors; an equal one is unclear', () => {
  expect(judgePair(45, 39, 0.3)).toBe('good')
  expect(judgePair(39, 45, 0.3)).toBe('swapped')
  expect(judgePair(40, 40.1, 0.3)).toBe('no-drop')
  expect(judgePair(Number.NaN, 40, 0.3)).toBe('unknown')
})
