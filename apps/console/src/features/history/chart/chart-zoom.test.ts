import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Span } from '../../../shared/chart/time-axis.ts'
import { moveSpan, zoomAround } from './chart-zoom.ts'

const whole: Span = { from: 0, to: 10_000_000 }

test('zooming keeps the instant below the pointer where it is', () => {
  expect(zoomAround(whole, whole, 2_000_000, 0.5)).toEqual({ from: 1_000_000, to: 6_000_000 })
  expect(zoomAround({ from: 1_000_000, to: 6_000_000 }, whole, 2_000_000, 2)).toEqual(whole)
})

test('moving stops at the ends', () => {
  expect(moveSpan({ from: 2_000_000, to: 4_000_000 }, whole, 1_000_000)).toEqual({
    from: 3_000_000,
    to: 5_000_000,
  })
  expect(moveSpan({ from: 2_000_000, to: 4_000_000 }, whole, -9_000_000)).toEqual({ from: 0, to: 2_000_000 })
})

test('any sequence of gestures keeps the span inside the whole and at least a minute wide', () => {
  const gesture = fc.record({
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    factor: fc.constantFrom(0.1, 0.8, 1.25, 9),
  })
  fc.assert(
    fc.property(fc.array(gesture), fc.integer({ min: -20_000_000, max: 20_000_000 }), (gestures, byMs) => {
      let span = whole
      for (const { share, factor } of gestures) {
        span = zoomAround(span, whole, span.from + share * (span.to - span.from), factor)
        span = moveSpan(span, whole, byMs)
        expect(span.from).toBeGreaterThanOrEqual(whole.from)
        expect(span.to).toBeLessThanOrEqual(whole.to + 1e-3)
        expect(span.to - span.from).toBeGreaterThanOrEqual(60_000 - 1e-3)
      }
    }),
  )
})
