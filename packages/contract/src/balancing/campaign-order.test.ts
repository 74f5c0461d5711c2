import { expect, test } from 'vitest'
import { findCampaignOrder, toOrderReason } from './campaign-order.ts'

test('the wave of a command is found in its stored reason', () => {
  const order = { campaign: 12, round: 1, wave: 2, kind: 'open' } as const
  expect(findCampaignOrder(toOrderReason(order))).toEqual(order)
})

test.each([
  '',
  'leak in the cellar',
  '{',
  '{"campaign":12}',
  '{"campaign":0,"round":1,"wave":2,"kind":"open"}',
])('a reason that a person wrote names no wave: %s', (reason) => {
  expect(findCampaignOrder(reason)).toBeUndefined()
})
