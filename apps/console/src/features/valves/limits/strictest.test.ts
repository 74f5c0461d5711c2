import { expect, test } from 'vitest'
import { toStrictest } from './strictest.ts'

test('the highest minimum and the smallest step of all nodes are in force', () => {
  const company = { minOpeningPct: 10, maxStepPct: 50 }
  const station = { minOpeningPct: 20, minTotalPct: 40 }
  expect(toStrictest([company, {}, station])).toEqual({ minOpeningPct: 20, maxStepPct: 50 })
  expect(toStrictest([{}, {}])).toEqual({})
})
