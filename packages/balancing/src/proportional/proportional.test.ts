import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  gainFor,
  type ProportionalRequest,
  periodFor,
  returnSensitivity,
  stepProportional,
  stepTrim,
} from './proportional.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const request: ProportionalRequest = {
  returnC: of(42, 40, 38, Number.NaN),
  offsetK: of(0, 0, 0, 0),
  areaM2: of(1, 1, 1, 1),
  openings: of(0.5, 0.5, 0.95, 0.5),
  gain: of(0.05, 0.05, 0.05, 0.05),
  deadBandK: 0.5,
  mostStep: 0.08,
  leastOpening: 0.1,
  step: 0.01,
}

test('the worked example of the sensitivity: 5.2 K for θ = 6, Δ = 25, n = 1.3', () => {
  expect(returnSensitivity(6, 25, 1.3)).toBeCloseTo(5.19, 2)
})

test('the best gain is 16 % for each kelvin at an authority of 0.3, and 5 % at 1', () => {
  const action = { rangeability: 40, sensitivityK: 5.6 }
  expect(gainFor({ ...action, authority: 0.3 }, 1)).toBeCloseTo(0.161, 3)
  expect(gainFor({ ...action, authority: 1 }, 1)).toBeCloseTo(0.048, 3)
})

test('floor heating waits for days where a radiator waits for hours', () => {
  expect(periodFor(1800, 1800)).toBe(7200)
  expect(periodFor(1800, 36_000)).toBe(109_800)
})

test('warm consumers close, cold ones open, within steps and stops; one without a reading stays', () => {
  const { targetC, openings, moved } = stepProportional(request)
  expect(targetC).toBe(40)
  expect([...openings]).toEqual([0.42, 0.5, 1, 0.5])
  expect(moved).toEqual([0, 2])
})

test('an offset moves the target of one consumer', () => {
  expect(stepProportional({ ...request, offsetK: of(2, 0, -2, 0) }).moved).toEqual([])
})

test('openings stay within their stops and steps for any readings', () => {
  const temperature = fc.double({ min: 20, max: 60 })
  fc.assert(
    fc.property(fc.array(temperature, { minLength: 4, maxLength: 4 }), (values) => {
      const { openings } = stepProportional({ ...request, returnC: Float64Array.from(values) })
      openings.forEach((opening, i) => {
        expect(Math.abs(opening - (request.openings[i] ?? 0))).toBeLessThan(0.0851)
        expect(opening).toBeGreaterThanOrEqual(0.1)
        expect(opening).toBeLessThanOrEqual(1)
      })
    }),
  )
})

const trim = {
  gain: 0.02,
  integralGain: 0.01,
  deadBandK: 0.3,
  leastOpening: 0.1,
  mostOpening: 1,
  span: 0.1,
  days: 1,
}

test('a trim closes a warm valve step by step, and does not wind up at its limit', () => {
  let state = { integral: 0 }
  let opening = 0.5
  for (let step = 0; step < 50; step++) ({ opening, state } = stepTrim(state, 1, 0.5, trim))
  expect(opening).toBe(0.4)
  ;({ opening, state } = stepTrim(state, -1, 0.5, trim))
  expect(opening).toBeGreaterThan(0.4)
})

test('within its dead band a trim does not change the opening of the campaign', () => {
  expect(stepTrim({ integral: 0 }, 0.29, 0.5, trim)).toEqual({ opening: 0.5, state: { integral: 0 } })
})
