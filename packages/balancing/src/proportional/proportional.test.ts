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
  maxStep: 0.08,
  minOpening: 0.1,
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

test('an error as large as the dead band, or a change below half a motor step, moves no valve', () => {
  expect(stepProportional({ ...request, deadBandK: 2 }).moved).toEqual([])
  // 0.002 and 0.0075 for each kelvin of the 2 K: 0.4 and 1.5 motor steps.
  const slow = stepProportional({
    ...request,
    openings: of(0.5, 0.5, 0.5, 0.5),
    gain: of(0.002, 1, 0.0075, 1),
  })
  expect(slow.moved).toEqual([2])
  expect(slow.openings[0]).toBe(0.5)
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
  minOpening: 0.1,
  maxOpening: 1,
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

test('an error as large as the dead band does not count for a trim', () => {
  expect(stepTrim({ integral: 0 }, 0.3, 0.5, trim)).toEqual({ opening: 0.5, state: { integral: 0 } })
})

test('a trim opens up to the end of its span, or to the maximum opening if that is nearer', () => {
  // 0.5 + 0.02·1 + 0.01·21 would be 0.73.
  const cold = { integral: -20 }
  expect(stepTrim(cold, -1, 0.5, trim).opening).toBe(0.6)
  expect(stepTrim(cold, -1, 0.5, { ...trim, maxOpening: 0.55 }).opening).toBe(0.55)
  expect(stepTrim({ integral: 20 }, 1, 0.5, { ...trim, minOpening: 0.45 }).opening).toBe(0.45)
})

test('at the end of its span the sum of a trim stays, unless the error has turned', () => {
  expect(stepTrim({ integral: 20 }, 1, 0.5, trim)).toEqual({ opening: 0.4, state: { integral: 20 } })
  expect(stepTrim({ integral: 20 }, -2, 0.5, { ...trim, days: 3 })).toEqual({
    opening: 0.4,
    state: { integral: 14 },
  })
})
