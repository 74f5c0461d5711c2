import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from './even-numbers.testkit.ts'
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
  const steps = fc.array(anyNumber(0, 5), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(steps, anyNumber(0, 1), (rises, u) => {
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

it('learns from two points, which can be equal, and from a valve that is tight', () => {
  expect(createLearnedCurve([3, 3].map(flowCoefficient))).toEqual({ kind: 'learned', kvs: 3, points: [3, 3] })
  expect(learn(0, 4).kvs).toBe(4)
})

it('inverts at its points: 0 for the leak, 1/3 for 2, 1 for the Kvs', () => {
  const valve = learn(0.1, 2, 4, 8)
  expect(openingForKv(valve, flowCoefficient(0.1))).toEqual({ kind: 'opening', opening: 0 })
  for (const [kv, opening] of [
    [2, 1 / 3],
    [3, 0.5],
    [8, 1],
  ] as const)
    expect(openingForKv(valve, flowCoefficient(kv))).toEqual({
      kind: 'opening',
      opening: expect.closeTo(opening, 12),
    })
})

it('never passes more than its next point, although from + (to − from) can exceed it by a digit', () => {
  const [from, to] = [0.3, 0.9]
  expect(from + (to - from)).toBeGreaterThan(to)
  const valve = learn(from, to)
  expect(kvAtOpening(valve, openingRatio(1))).toBe(to)
})

it('refuses a curve of one point and a falling curve', () => {
  expect(createLearnedCurve([flowCoefficient(1)]).kind).toBe('too-few-points')
  const falling = [0, 3, 2, 4].map(flowCoefficient)
  expect(createLearnedCurve(falling)).toEqual({ kind: 'falling-point', point: 2 })
  expect(createLearnedCurve([])).toEqual({ kind: 'too-few-points' })
  expect(createLearnedCurve([-0.1, 3].map(flowCoefficient))).toEqual({ kind: 'falling-point', point: 0 })
  expect(createLearnedCurve([0, 1, Number.POSITIVE_INFINITY].map(flowCoefficient))).toEqual({
    kind: 'falling-point',
    point: 2,
  })
  expect(createLearnedCurve([0, Number.NaN].map(flowCoefficient))).toEqual({
    kind: 'falling-point',
    point: 1,
  })
})
