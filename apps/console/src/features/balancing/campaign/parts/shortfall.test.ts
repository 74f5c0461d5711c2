import { expect, test } from 'vitest'
import { sampleCampaign, sampleMember } from '../campaign-samples.testkit.ts'
import { findShortfall } from './shortfall.ts'

const member = (id: number, flowM3H: number, targetFlowM3H: number) =>
  sampleMember(id, { expected: { openingPct: 90, flowM3H }, targetFlowM3H })

test('a plan with sufficient flow has no shortfall', () => {
  expect(findShortfall(sampleCampaign({ members: [member(1, 2, 2), member(2, 0.98, 1)] }))).toBeUndefined()
})

test('a plan that the pump does not suffice for says how much of it comes', () => {
  expect(findShortfall(sampleCampaign({ members: [member(1, 2, 3), member(2, 1, 1)] }))).toBe(0.75)
})

test('who is left out, or has no target, counts for nothing', () => {
  const left = sampleMember(3, {
    excluded: 'held',
    expected: { openingPct: 40, flowM3H: 0 },
    targetFlowM3H: 9,
  })
  const { targetFlowM3H: _, ...aimless } = sampleMember(4)
  expect(findShortfall(sampleCampaign({ members: [member(1, 1, 2), left, aimless] }))).toBe(0.5)
  expect(findShortfall(sampleCampaign({ members: [left, aimless] }))).toBeUndefined()
})
