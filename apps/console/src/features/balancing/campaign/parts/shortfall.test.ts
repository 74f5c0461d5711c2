import { expect, test } from 'vitest'
import { sampleCampaign, sampleMember } from '../campaign-samples.testkit.ts'
import { findShortfall } from './shortfall.ts'

const member = (id: number, flowM3H: number, targetFlowM3H: number) =>
  sampleMember(id, { expected: { openingPct: 90, flowM3H }, targetFlowM3H })

test('a plan with sufficient flow has no shortfall', () => {
  expect(findShortfall(sampleCampaign({ members: [member(1, 2, 2), member(2, 0.98, 1)] }))).toBeUndefined()
})

test('if the pump is too weak for a plan, the delivered share is shown', () => {
  expect(findShortfall(sampleCampaign({ members: [member(1, 2, 3), member(2, 1, 1)] }))).toBe(0.75)
})

test('excluded valves and valves without a target do not count', () => {
  const left = sampleMember(3, {
    excluded: 'held',
    expected: { openingPct: 40, flowM3H: 0 },
    targetFlowM3H: 9,
  })
  const { targetFlowM3H: _, ...aimless } = sampleMember(4)
  expect(findShortfall(sampleCampaign({ members: [member(1, 1, 2), left, aimless] }))).toBe(0.5)
  expect(findShortfall(sampleCampaign({ members: [left, aimless] }))).toBeUndefined()
})
