import { expect, it } from 'vitest'
import { draughtLoss, gainOf, peopleGain, windowLoss } from './occupants.ts'

const HOUR = 3600
const DAY = 24 * HOUR

it('leaves one flat in twelve empty on each day, in changing flats', () => {
  const people = peopleGain(12 * HOUR)
  const isEmpty = (flat: number, day: number) => gainOf(flat, day * DAY + 12 * HOUR, people, 0) < people
  const empty = (day: number) =>
    Array.from({ length: 6000 }, (_, flat) => flat).filter((flat) => isEmpty(flat, day))
  expect(empty(0).length).toBeGreaterThan(400)
  expect(empty(0).length).toBeLessThan(600)
  const both = empty(0).filter((flat) => isEmpty(flat, 1))
  expect(both.length).toBeGreaterThan(15)
  expect(both.length).toBeLessThan(75)
})

it('adds a hundredth of the sun on a south wall, also in an empty flat', () => {
  const people = peopleGain(0)
  expect(gainOf(5, 0, people, 300) - gainOf(5, 0, people, 0)).toBeCloseTo(3, 9)
})

it('opens windows in warm flats, wider when warmer, and never gains heat by them', () => {
  expect(windowLoss(24, -5)).toBe(0)
  expect(windowLoss(25, -5)).toBeCloseTo(0.6 * 0.5 * 30, 9)
  expect(windowLoss(27, -5)).toBeCloseTo(0.6 * 32, 9)
  expect(windowLoss(27, 30)).toBe(0)
})

it('loses heat by wind: 0.02 W/K per m² and per m/s above the usual 2.5', () => {
  expect(draughtLoss(20, -10, 2.5)).toBe(0)
  expect(draughtLoss(20, -10, 7.5)).toBeCloseTo(3, 9)
  expect(draughtLoss(20, -10, 0)).toBeCloseTo(-1.5, 9)
})
