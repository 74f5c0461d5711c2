import { expect, it } from 'vitest'
import { isFlat, isLow, takeForReport, takeForTravel, voltsOf } from './battery.ts'

it('lasts 5 to 10 years with a report every 4 hours and two half strokes a day, like real valves', () => {
  const battery = { usedJ: 0 }
  let days = 0
  while (!isFlat(battery)) {
    days++
    for (let report = 0; report < 6; report++) takeForReport(battery, 'nb-iot')
    takeForTravel(battery, 0.5)
    takeForTravel(battery, 0.5)
  }
  expect(days / 365).toBeGreaterThan(5)
  expect(days / 365).toBeLessThan(10)
})

it('keeps its voltage for most of its life, and is low before it is empty', () => {
  expect(voltsOf({ usedJ: 0 })).toBe(3.6)
  expect(voltsOf({ usedJ: 55_000 })).toBeGreaterThan(3.5)
  expect(isLow({ usedJ: 90_000 })).toBe(false)
  expect(isLow({ usedJ: 105_000 })).toBe(true)
  expect(isFlat({ usedJ: 105_000 })).toBe(false)
})
