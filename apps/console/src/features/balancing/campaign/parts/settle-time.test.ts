import { expect, test } from 'vitest'
import { sampleCampaign } from '../campaign-samples.testkit.ts'
import { findSettleTime, toDuration } from './settle-time.ts'

test('counts down to the verification of a campaign and then stays at zero', () => {
  const settling = sampleCampaign({ state: 'settling', settleMs: 100, settledAt: 1_000 })
  expect(findSettleTime(settling, 925)).toEqual({ leftMs: 75, share: 0.25 })
  expect(findSettleTime(settling, 2_000)).toEqual({ leftMs: 0, share: 1 })
  expect(findSettleTime(settling, 0)).toEqual({ leftMs: 1_000, share: 0 })
  expect(findSettleTime({ ...settling, state: 'verified' }, 925)).toBeUndefined()
})

test('a duration has the largest unit with a value of at least two, rounded up', () => {
  expect(toDuration(90_001)).toEqual({ unit: 's', value: 91 })
  expect(toDuration(121_000)).toEqual({ unit: 'min', value: 3 })
  expect(toDuration(7_260_000)).toEqual({ unit: 'h', value: 2.1 })
  expect(toDuration(0)).toEqual({ unit: 's', value: 0 })
})
