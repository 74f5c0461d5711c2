import { expect, test } from 'vitest'
import { mayStand, type StoppedFlow, withoutDeadMeters } from './dead-meters.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const NONE = Number.NaN

test('a meter without flow is dead if warm water leaves its building, and trusted if the water is as cold as the rooms', () => {
  const meterKgS = of(1, 0, 0, 0.009, 0.02, 2, NONE)
  const returnC = of(38, 37, 21, 37, 37, 38, 38)
  const roomC = of(20, NONE, NONE, 20, 20, 20, 20)
  // The usual flow is the median of those above zero: 0.5 kg/s.
  expect([...withoutDeadMeters({ meterKgS, returnC, roomC })]).toEqual([1, NONE, 0, 0.009, 0.02, 2, NONE])
  expect([
    ...withoutDeadMeters({ meterKgS: of(1, 1, 0.009), returnC: of(38, 38, 38), roomC: of(20, 20, 20) }),
  ]).toEqual([1, 1, NONE])
})

test('a room in the sun does not make its meter dead, and no meter is dead without a return', () => {
  const given = { meterKgS: of(1, 0, 0), returnC: of(38, 29, NONE), roomC: of(20, 25, 20) }
  expect([...withoutDeadMeters(given)]).toEqual([1, 0, 0])
})

test('with all meters at zero, warm returns make all of them dead', () => {
  const given = { meterKgS: of(0, 0), returnC: of(38, 39), roomC: of(NONE, NONE) }
  expect([...withoutDeadMeters(given)]).toEqual([NONE, NONE])
})

test.each<[string, Partial<StoppedFlow>, boolean]>([
  ['its flow stopped minutes ago', { sinceS: 600 }, true],
  ['it never showed a flow', { sinceS: 600, wasSeen: false }, false],
  ['its return stays warm for an hour', {}, false],
  ['its return cools for an hour', { fallK: 1.2 }, true],
  ['its return cools, whatever its meter showed before', { fallK: 1.2, wasSeen: false }, true],
  ['all returns fall with the supply', { fallK: 2, usualFallK: 1.8 }, false],
  ['the returns of the others rise', { fallK: 0.2, usualFallK: -0.9 }, true],
])('the water behind a meter without flow may stand: %s', (_, change, expected) => {
  expect(mayStand({ wasSeen: true, sinceS: 3_600, fallK: 0, usualFallK: 0, ...change })).toBe(expected)
})

test('where water may stand, a warm return does not make the meter dead', () => {
  const given = { meterKgS: of(1, 0, 0), returnC: of(38, 37, 37), roomC: of(20, 20, 20) }
  expect([...withoutDeadMeters({ ...given, standing: Uint8Array.of(0, 1, 0) })]).toEqual([1, 0, NONE])
})
