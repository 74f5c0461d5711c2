import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFrozen, judgePair, readWindow, WATER_LIMITS } from './sensor-window.ts'

const QUARTER_S = 900
const series = (...value: number[]) => ({ atS: value.map((_, index) => (index + 1) * QUARTER_S), value })
const window = { fromS: 0, untilS: 8 * QUARTER_S, minReadings: 3 }

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
        { ...WATER_LIMITS, maxPerHour: 1e9 },
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

test('a reading at the start of the window does not count, and one at its end does', () => {
  // Those outside of it would pass as readings: they are near to their neighbours.
  const atEnds = { atS: [0, 900, 1_800, 2_700], value: [45, 40, 41, 45] }
  const read = readWindow(atEnds, WATER_LIMITS, { fromS: 0, untilS: 1_800, minReadings: 2 })
  expect(read).toEqual({ verdict: 'good', value: 40.5, range: 1, count: 2 })
})

test('the ends of the plausible range count, and exactly as many readings as required are enough', () => {
  for (const end of [2, 95])
    expect(readWindow(series(end, end, end), WATER_LIMITS, window).verdict).toBe('good')
  for (const beyond of [1.9, 95.1])
    expect(readWindow(series(40, 40, beyond), WATER_LIMITS, window)).toEqual({
      verdict: 'out-of-range',
      value: Number.NaN,
      range: 0,
      count: 0,
    })
})

test('a spike is a change of more than 15.1 K in a quarter of an hour away from both neighbours', () => {
  const late = (...value: number[]) => ({ atS: value.map((_, index) => 36_000 + index * QUARTER_S), value })
  const count = (...value: number[]) =>
    readWindow(late(...value), WATER_LIMITS, { fromS: 0, untilS: 1e6, minReadings: 1 }).count
  expect(count(40, 40, 55, 40, 40)).toBe(5)
  expect(count(40, 40, 55.2, 40, 40)).toBe(4)
  expect(count(40, 40, 10, 40, 40)).toBe(4)
  // The first and the last reading have one neighbour.
  expect(count(60, 40, 40)).toBe(2)
  expect(count(40, 40, 60)).toBe(2)
  // A change that stays, or goes on, is no spike.
  expect(count(40, 40, 60, 60)).toBe(4)
  expect(count(40, 40, 60, 59.8)).toBe(4)
  expect(count(20, 20, 40, 60, 60)).toBe(5)
})

test('more time between two readings allows a larger change', () => {
  const hours = { atS: [900, 4_500, 8_100], value: [40, 90, 40] }
  expect(readWindow(hours, WATER_LIMITS, { fromS: 0, untilS: 9_000, minReadings: 3 }).count).toBe(3)
})

test('a sensor is frozen below half a step while the others changed by three steps', () => {
  expect(findFrozen([0, 3, 3], 1)).toEqual([0])
  expect(findFrozen([0, 2.9, 2.9], 1)).toEqual([])
  expect(findFrozen([0.49, 0.5, 3, 3, 3], 1)).toEqual([0])
  expect(findFrozen([], 1)).toEqual([])
})

test('a drop counts from half a kelvin, or from the error of the sensors if that is larger', () => {
  expect([0.5, 0.49, 0, -0.3, -0.31].map((drop) => judgePair(drop, 0, 0.3))).toEqual([
    'good',
    'no-drop',
    'no-drop',
    'no-drop',
    'swapped',
  ])
  expect([0.8, 0.79].map((drop) => judgePair(drop, 0, 0.8))).toEqual(['good', 'no-drop'])
})
