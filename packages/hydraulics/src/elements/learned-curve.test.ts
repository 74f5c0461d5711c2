import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLearnedCurve, type LearnedCurve } from './learned-curve.ts'
import { kvAtOpening, openingForKv } from './valve.ts'

function learn(...points: readonly number[]): LearnedCurve {
  const curve = createLearnedCurve(points.map(flowCoefficient))
  if (curve.kind !== 'learned') throw new Error(curve.kind)
  return curve
}

it('is linear between its points: 0.1, 2, 2, 8 at thirds of the stroke', () => {
  const valve = learn(0.1, 2, 2, 8)
  expect(kvAtOpening(valve, openingRatio(0))).toBe(0.1)
  expect(kvAtOpening(valve, openingRatio(0.5))).toBe(2)
  expect(kvAtOpening(valve, openingRatio(5 / 6))).toBeCloseTo(5, 12)
  expect(kvAtOpening(valve, openingRatio(1))).toBe(8)
})

it('returns the smallest opening where the curve is flat, and refuses a coefficient below its leak', () => {
  const valve = learn(0.1, 2, 2, 8)
  expect(openingForKv(valve, flowCoefficient(2))).toEqual({
    kind: 'opening',
    opening: expect.closeTo(1 / 3, 12),
  })
  expect(openingForKv(valve, flowCoefficient(0.05))).toEqual({ kind: 'kv-below-leak', leak: 0.1 })
  expect(openingForKv(valve, flowCoefficient(9))).toEqual({ kind: 'kv-too-large', kvs: 8 })
})

it('inverts the opening back to the coefficient for any learned curve', () => {
  const steps = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (rises, u) => {
      let sum = 0
      const valve = learn(
        ...rises.map((rise) => {
          sum += rise
          return sum
        }),
      )
      const kv = kvAtOpening(valve, openingRatio(u))
      const found = openingForKv(valve, kv)
      if (found.kind !== 'opening') throw new Error(found.kind)
      expect(found.opening).toBeLessThanOrEqual(u + 1e-9)
      expect(kvAtOpening(valve, found.opening)).toBeCloseTo(kv, 9)
    }),
  )
})

it('returns the smallest of many openings where a curve is almost flat', () => {
  const from = 5
  for (const rise of [1, 2, 3, 7].map((digits) => digits * Number.EPSILON * 4)) {
    const valve = learn(0, from, from + rise)
    for (const u of [0.51, 0.55, 0.6, 0.75, 0.9, 0.999]) {
      const kv = kvAtOpening(valve, openingRatio(u))
      const found = openingForKv(valve, kv)
      if (found.kind !== 'opening') throw new Error(found.kind)
      expect(found.opening).toBeLessThanOrEqual(u)
    }
  }
})

it('refuses a curve of one point and a falling curve', () => {
  expect(createLearnedCurve([flowCoefficient(1)]).kind).toBe('too-few-points')
  const falling = [0, 3, 2, 4].map(flowCoefficient)
  expect(createLearnedCurve(falling)).toEqual({ kind: 'falling-point', point: 2 })
  expect(createLearnedCurve([0, Number.NaN].map(flowCoefficient))).toEqual({
    kind: 'falling-point',
    point: 1,
  })
})
