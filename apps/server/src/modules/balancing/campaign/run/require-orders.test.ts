import type { OrderPreview } from '@isotherm/contract/order-preview'
import { expect, test, vi } from 'vitest'
import { createTestCaller } from '../../../../platform/http/call.testkit.ts'
import { createTestPlan, withHead } from '../campaign-plan.testkit.ts'
import { requireOrders, requireRound } from './require-orders.ts'

const caller = createTestCaller()
const nothing: OrderPreview = { refused: [], ends: [], totals: [] }
const refusalOf = (found: Partial<OrderPreview>) =>
  requireOrders(
    { preview: async () => ({ ...nothing, ...found }) },
    caller,
    [{ deviceId: 1, openingPct: 50 }],
    (deviceId) => `V${deviceId}`,
  )

test.each([
  ['not-a-valve', 'device.not-controllable'],
  ['retired', 'device.not-controllable'],
  ['switched-off', 'device.not-controllable'],
  ['outside-limits', 'command.outside-limits'],
  ['below-minimum', 'command.outside-limits'],
  ['too-far', 'command.outside-limits'],
  ['held', 'command.held'],
] as const)('a valve that commands refuse as %s is refused with %s', async (reason, code) => {
  await expect(refusalOf({ refused: [{ deviceId: 1, reason }] })).rejects.toMatchObject({
    code,
    params: { count: 1, devices: 'V1', device: 'V1' },
  })
})

test('an error names five valves with the first reason and counts all of them', async () => {
  const refused = [1, 2, 3, 4, 5, 6].map((deviceId) => ({ deviceId, reason: 'held' }) as const)
  const other = { deviceId: 7, reason: 'retired' } as const
  await expect(refusalOf({ refused: [...refused, other] })).rejects.toMatchObject({
    code: 'command.held',
    params: { count: 6, devices: 'V1, V2, V3, V4, V5, …' },
  })
  await expect(refusalOf({ refused: refused.slice(0, 5) })).rejects.toMatchObject({
    params: { devices: 'V1, V2, V3, V4, V5' },
  })
})

test('a node whose valves would be too far closed is refused with its total', async () => {
  await expect(refusalOf({ totals: [{ node: 'S1', totalPct: 20, minTotalPct: 30 }] })).rejects.toMatchObject({
    code: 'command.total-too-low',
    params: { node: 'S1', totalPct: 20, minTotalPct: 30 },
  })
  await expect(refusalOf({ totals: [{ node: 'S1', minTotalPct: 30 }] })).rejects.toMatchObject({
    params: { totalPct: '–' },
  })
})

test('accepted orders are no error, and an order without valves is not checked', async () => {
  await refusalOf({})
  const preview = vi.fn()
  await requireOrders({ preview }, caller, [], String)
  expect(preview).not.toHaveBeenCalled()
})

test('a round is checked with all valves of its waves and the head of its pump', async () => {
  const valve = { serial: 'V1', deviceId: 7, openingPct: 50 }
  const plan = createTestPlan([valve], [['open', { V1: 60 }]], { node: '1', plannedAt: 0 })
  const preview = vi.fn(async () => ({ ...nothing, refused: [{ deviceId: 7, reason: 'held' } as const] }))
  const requireHead = vi.fn(async () => {})
  const whole = withHead(plan, 'last', { deviceId: 9, fromKpa: 50, toKpa: 60 })
  await expect(requireRound({ preview, requireHead }, caller, whole)).rejects.toMatchObject({
    params: { devices: 'V1' },
  })
  expect(preview).toHaveBeenCalledWith(caller, {
    targets: [{ deviceId: 7, openingPct: 60 }],
    priority: 'balancing',
  })
  expect(requireHead.mock.calls).toEqual([[caller, { deviceId: 9, headKpa: 60, priority: 'balancing' }]])
})
