import { expect, test } from 'vitest'
import { type Span, toInstant, toPlacePx } from './time-axis.ts'

const whole: Span = { from: 0, to: 10_000_000 }

test('an instant has a position in the chart; an instant outside the axis is at its end', () => {
  const axis = { leftPx: 50, rightPx: 50, widthPx: 1100 }
  expect([2_500_000, -1, 10_000_001].map((at) => toPlacePx(whole, at, axis))).toEqual([300, 50, 1050])
})

test('a position in the chart is an instant; a position outside the axis is the end of the axis', () => {
  const axis = { leftPx: 50, rightPx: 50, widthPx: 1100 }
  expect(toInstant(whole, 550, axis)).toBe(5_000_000)
  expect(toInstant(whole, 10, axis)).toBe(0)
  expect(toInstant(whole, 1090, axis)).toBe(10_000_000)
})
