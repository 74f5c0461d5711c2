import { celsius, kelvin, second } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { decideHeadStep, type HeadSituation, supplyForFlow } from './head-step.ts'

const rules = { minShare: 0.6, minHeadKpa: 30, maxStepKpa: 80 }
const DAY_S = 86_400
/** Rooms allow no further step of the supply. The load is half as much again in weather 8 K colder: 16 K indoors over outdoors. */
const now: HeadSituation = {
  headKpa: 200,
  originalKpa: 200,
  offsetK: kelvin(-3),
  originalK: kelvin(0),
  differenceK: kelvin(8),
  outdoorC: celsius(4),
  coldDifferencesK: [],
  why: 'enough',
  sinceChangeS: second(Number.POSITIVE_INFINITY),
  restS: second(2 * DAY_S),
}
const low = { headKpa: 140, offsetK: kelvin(0) }

test.each<[string, Partial<HeadSituation>, object]>([
  // Worked example: 0.85 of the head is 0.922 of the flow; (12 K/2)·(1/0.922 − 1) = 0.51 K, rounded up.
  ['one step down, with a warmer supply', {}, { kind: 'lower', headKpa: 170, offsetK: -2.4 }],
  [
    'a building with a cold room gets as much heat as now',
    { coldDifferencesK: [9, 20] },
    { kind: 'lower', headKpa: 170, offsetK: -2.1 },
  ],
  [
    'not if the difference of one of them is not measured',
    { coldDifferencesK: [9, Number.NaN] },
    { kind: 'hold' },
  ],
  ['a rise that a controller can tell from none', { differenceK: kelvin(2) }, { offsetK: -2.7 }],
  ['not above the original offset', { offsetK: kelvin(-0.5) }, { kind: 'hold' }],
  ['not without the difference', { differenceK: kelvin(Number.NaN) }, { kind: 'hold' }],
  ['not without heat', { differenceK: kelvin(0) }, { kind: 'hold' }],
  ['not with a return above the supply', { differenceK: kelvin(-1) }, { kind: 'hold' }],
  ['not in weather that needs no heat', { outdoorC: celsius(20) }, { kind: 'hold' }],
  ['nor in warmer weather', { outdoorC: celsius(26) }, { kind: 'hold' }],
  ['not without the weather', { outdoorC: celsius(Number.NaN) }, { kind: 'hold' }],
  ['not below the lowest share', { headKpa: 130 }, { kind: 'lower', headKpa: 120 }],
  ['at the lowest share it stays', { headKpa: 120 }, { kind: 'hold' }],
  [
    'a share of the first head, not of a later one',
    { headKpa: 130, originalKpa: 130, firstKpa: 200 },
    { headKpa: 120 },
  ],
  ['while the supply can be lowered', { why: 'warm' }, { kind: 'hold' }],
  ['while rooms respond', { why: 'not-at-rest' }, { kind: 'hold' }],
  ['cold rooms first get a warmer supply', { ...low, why: 'cold-rooms' }, { kind: 'hold' }],
  ['then more flow, two steps', { ...low, why: 'at-original' }, { kind: 'raise', headKpa: 194, offsetK: 0 }],
  [
    'never more than before the first step',
    { ...low, originalKpa: 160, why: 'at-original' },
    { kind: 'raise', headKpa: 160 },
  ],
  [
    'rooms first show what the last rise does',
    { ...low, why: 'at-original', sinceChangeS: second(0.4 * DAY_S) },
    { kind: 'hold' },
  ],
  ['a head that is not lowered stays', { why: 'at-original' }, { kind: 'hold' }],
  ['without measured rooms back at once', { ...low, why: 'not-measured' }, { kind: 'restore', headKpa: 200 }],
])('%s', (_, situation, expected) => {
  expect(decideHeadStep(rules, { ...now, ...situation })).toMatchObject(expected)
})

test('a head changes within the limits of the pump', () => {
  expect(decideHeadStep({ ...rules, maxStepKpa: 20 }, now)).toMatchObject({ headKpa: 180 })
  expect(decideHeadStep({ ...rules, minHeadKpa: 185 }, now)).toMatchObject({ headKpa: 185 })
  expect(decideHeadStep({ ...rules, maxStepKpa: 20 }, { ...now, ...low, why: 'not-measured' })).toMatchObject(
    { headKpa: 160 },
  )
})

test('the mean of supply and return stays: 50/42 °C and 92 % of the flow', () => {
  const rise = supplyForFlow(8, 0.92)
  const supplyC = 50 + rise
  // The same heat from less flow has a greater difference.
  expect(supplyC - 8 / 0.92 / 2).toBeCloseTo(46, 9)
})
