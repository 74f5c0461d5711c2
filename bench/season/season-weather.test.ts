import { expect, it } from 'vitest'
import { createWinter } from './season-weather.ts'

const DAYS = 120
const STEP_S = 3600

it('is the same for the same seed, and another winter for another', () => {
  expect(createWinter(3, STEP_S, DAYS)).toEqual(createWinter(3, STEP_S, DAYS))
  expect(createWinter(4, STEP_S, DAYS).outdoorC).not.toEqual(createWinter(3, STEP_S, DAYS).outdoorC)
})

it('is coldest in the middle, has cold spells, and sun by day only', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const { outdoorC, sunWM2 } = createWinter(seed, STEP_S, DAYS)
    const meanOf = (fromDay: number, toDay: number): number => {
      const part = outdoorC.subarray(24 * fromDay, 24 * toDay)
      return part.reduce((sum, value) => sum + value, 0) / part.length
    }
    expect(meanOf(0, DAYS)).toBeGreaterThan(-6)
    expect(meanOf(0, DAYS)).toBeLessThan(1)
    expect(Math.min(...outdoorC)).toBeLessThan(meanOf(0, DAYS) - 8)
    // A run starts at 8 o'clock: hour 16 is midnight.
    expect(sunWM2[16]).toBe(0)
    expect(Math.max(...sunWM2)).toBeGreaterThan(200)
  }
})
