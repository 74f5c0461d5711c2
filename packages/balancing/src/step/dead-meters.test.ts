import { expect, test } from 'vitest'
import { withoutDeadMeters } from './dead-meters.ts'

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
