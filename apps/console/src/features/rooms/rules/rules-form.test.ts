import { roomRules } from '@isotherm/contract/rooms/room-bands'
import { expect, test } from 'vitest'
import { toSteps } from './rules-form.tsx'

test('refund steps are read in both kinds of punctuation; what is no number is refused by the rules', () => {
  const steps = [
    { belowC: 18, percent: 20 },
    { belowC: 16, percent: 50 },
  ]
  expect(toSteps('18: 20, 16: 50')).toEqual(steps)
  expect(toSteps('18：20，16：50')).toEqual(steps)
  expect(toSteps('')).toEqual([])
  expect(roomRules.shape.refunds.safeParse(toSteps('18, x: 50')).success).toBe(false)
})
