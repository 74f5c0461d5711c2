import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { findSupplyChange, toLastDay, toSupplyDay } from './supply-change.ts'

/** A day that begins at its warmest supply, and is coldest 12 h later. */
const supplyC = Float64Array.from({ length: 24 }, (_, hour) => 45 + 3 * Math.cos((2 * Math.PI * hour) / 24))
const span = toLastDay(100 * HOUR_MS, 1)
const dayOf = (values: Float64Array | undefined) =>
  toSupplyDay(9, span, (deviceId, metric) =>
    deviceId === 9 && metric === 'temp.supply' ? values : undefined,
  )

test('the supply is expected to change as over the same hours of the day before: two of waves, and those of settling', () => {
  const found = findSupplyChange(dayOf(supplyC), 3 * HOUR_MS)
  expect(found?.supplyK).toBeCloseTo(3 * Math.cos((2 * Math.PI * 5) / 24) - 3, 12)
  expect(found?.outdoorSigmaK).toBe(3)
})

test('the change is not known without readings of both hours, nor for a round that takes a day', () => {
  expect(findSupplyChange(dayOf(undefined), 3 * HOUR_MS)).toBeUndefined()
  const broken = supplyC.map((value, hour) => (hour === 5 ? Number.NaN : value))
  expect(findSupplyChange(dayOf(broken), 3 * HOUR_MS)).toBeUndefined()
  expect(findSupplyChange(dayOf(supplyC), 30 * HOUR_MS)).toBeUndefined()
})

test('a day is one of plant time', () => {
  expect(span).toEqual({ from: 76 * HOUR_MS, to: 100 * HOUR_MS, slotMs: HOUR_MS })
  const fast = toLastDay(100 * HOUR_MS, 60)
  expect(fast).toEqual({ from: 99.6 * HOUR_MS, to: 100 * HOUR_MS, slotMs: HOUR_MS / 60 })
  expect(findSupplyChange({ slotMs: fast.slotMs, supplyC }, HOUR_MS / 20)?.supplyK).toBeCloseTo(
    3 * Math.cos((2 * Math.PI * 5) / 24) - 3,
    12,
  )
})
