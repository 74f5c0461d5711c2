import { expect, test } from 'vitest'
import { toStrictest } from './strictest.ts'

test('the highest minimum and the shortest step of all nodes above count', () => {
  const company = { minOpeningPct: 10, maxStepPct: 50 }
  const station = { minOpeningPct: 20, minTotalPct: 40 }
  expect(toStrictest([company, {}, station])).toEqual({ minOpeningPct: 20, maxStepPct: 50 })
  expect(toStrictest([{}, {}])).toEqual({})
})
