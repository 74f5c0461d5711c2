import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createFindPreheat, findTimeConstant } from './preheat.ts'

const NOW = Date.parse('2026-11-23T00:00:00Z')
const level: SlotLevel = { kind: 'room', roomC: 18 }
const boundary = { at: NOW + 6 * HOUR_MS, level }
const preheat = { timeConstantH: 10, wantedC: 18, boostedC: 24, maxHours: 12 }
const shown = {
  kind: 'identified' as const,
  timeConstantS: 20 * 3600,
  sigma: 0.3,
  lowS: 12 * 3600,
  highS: 33 * 3600,
}
const find = (roomC: number | undefined, lowSince: number, given = preheat) =>
  createFindPreheat({ preheat: given }, { roomC, outdoorC: 0 }, NOW)(boundary, lowSince) / HOUR_MS

test('rooms at 12 °C under a boost to 24 °C are at 18 °C after τ·ln 2', () => {
  expect(find(12, NOW - HOUR_MS)).toBeCloseTo(10 * Math.LN2, 5)
})

test('warm rooms need no preheating, and rooms that never get warm enough get the maximum', () => {
  expect(find(18.5, NOW - HOUR_MS)).toBe(0)
  expect(find(5, NOW - HOUR_MS, { ...preheat, maxHours: 3 })).toBe(3)
})

test('rooms without a reading, or before their setback, count as cooled when the slot starts', () => {
  // Four hours without heat at 0 °C: 18·e^(−0.4) = 12.066 °C; t = 10·ln((24 − 12.066)/(24 − 18)).
  const hours = 10 * Math.log((24 - 18 * Math.exp(-0.4)) / 6)
  expect(find(undefined, boundary.at - 4 * HOUR_MS)).toBeCloseTo(hours, 5)
  expect(find(21, boundary.at - 4 * HOUR_MS)).toBeCloseTo(hours, 5)
})

test('without a set time constant a group uses the usual one, marked as such', () => {
  expect(findTimeConstant({ preheat })).toEqual({ hours: 10, by: 'stated' })
  const { timeConstantH: _, ...unstated } = preheat
  expect(findTimeConstant({ preheat: unstated })).toEqual({ hours: 80, by: 'assumed' })
  expect(findTimeConstant({})).toBeUndefined()
  expect(findTimeConstant({ preheat: unstated }, { kind: 'not-measured' })).toEqual({
    hours: 80,
    by: 'assumed',
  })
  expect(createFindPreheat({}, { roomC: 5, outdoorC: 0 }, NOW)(boundary, NOW)).toBe(0)
})

test('without a set time constant a group uses that of its rooms, or the usual one if they give too little information', () => {
  const { timeConstantH: _, ...unstated } = preheat
  const within = { lowHours: 12, highHours: 33 }
  expect(findTimeConstant({ preheat: unstated }, shown)).toEqual({ hours: 20, by: 'identified', ...within })
  expect(findTimeConstant({ preheat }, shown)).toEqual({ hours: 10, by: 'stated' })
  const unsure = { ...shown, kind: 'not-identified' as const, timeConstantS: 80 * 3600 }
  expect(findTimeConstant({ preheat: unstated }, unsure)).toMatchObject({ hours: 80, by: 'not-identified' })
  const begins = (timeConstant: typeof shown | undefined) =>
    createFindPreheat(
      { preheat: { ...unstated, maxHours: 72 } },
      { roomC: 12, outdoorC: 0, timeConstant },
      NOW,
    )(boundary, NOW - HOUR_MS) / HOUR_MS
  expect(begins(shown)).toBeCloseTo(20 * Math.LN2, 5)
  expect(begins(undefined)).toBeCloseTo(80 * Math.LN2, 5)
})

test('in weather warmer than the target temperature rooms without heat stay at the target: no preheating', () => {
  const find = (outdoorC: number) =>
    createFindPreheat({ preheat }, { roomC: undefined, outdoorC }, NOW)(boundary, boundary.at - 4 * HOUR_MS)
  expect(find(25)).toBe(0)
  expect(find(preheat.wantedC)).toBe(0)
  expect(find(preheat.wantedC - 1)).toBeGreaterThan(0)
})
