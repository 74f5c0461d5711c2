import { USUAL_SUPPLY_LIMITS } from '@isotherm/contract/command'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import type { SupplyState } from '../storage/supply-state.ts'
import { createTestRooms, roomsFrom, supplyRules } from '../supply.testkit.ts'
import { planSupply, type SupplyInput, toEarlier, toSupplyPeriodMs } from './plan-supply.ts'

const NOW = 1_000 * HOUR_MS
const rooms = createTestRooms()
const input: SupplyInput = {
  rules: supplyRules,
  limits: USUAL_SUPPLY_LIMITS,
  state: null,
  rooms,
  now: NOW,
  timeFactor: 1,
}
/** A strategy that lowered the offset some hours ago. */
const lowered = (
  fromK: number,
  toK: number,
  hoursAgo = 100,
  earlierK: readonly number[] = [],
): SupplyState => ({
  check: { at: 0, kind: 'lower', reason: 'warm' },
  nextAt: 0,
  originalK: 0,
  order: { at: NOW - hoursAgo * HOUR_MS, fromK, toK, earlierK },
})
const byPerson = { at: NOW - HOUR_MS, isOpen: false }
const at = (offsetK: number, more: object = {}) => ({ ...rooms, offsetK, ...more })
const cold = { roomsC: roomsFrom(17) }

test.each<[string, Partial<SupplyInput>, object]>([
  [
    'the first step remembers the original',
    {},
    { originalK: 0, check: { kind: 'lower', fromK: 0, toK: -1 } },
  ],
  ['a later step', { state: lowered(-1, -2), rooms: at(-2) }, { originalK: 0, check: { toK: -3 } }],
  [
    'a step down needs new readings',
    { rooms: at(0, { fresh: { roomsC: roomsFrom(22), share: 0.4 } }) },
    { check: { kind: 'hold', reason: 'not-fresh', fromK: 0, measuredRooms: 100 } },
  ],
  [
    'advice to step down needs them too',
    { rooms: at(0, { offsetK: undefined, fresh: { roomsC: roomsFrom(22), share: 0.4 } }) },
    { check: { kind: 'hold', reason: 'not-fresh' } },
  ],
  [
    'rooms follow for two days',
    { state: lowered(-1, -2, 47), rooms: at(-2) },
    { originalK: 0, check: { kind: 'hold', reason: 'not-at-rest' } },
  ],
  [
    'in a plant with a time factor of ten for a tenth',
    { state: lowered(-1, -2, 5), rooms: at(-2), timeFactor: 10 },
    { check: { kind: 'lower' } },
  ],
  [
    'cold rooms raise at once, by two steps',
    { state: lowered(-4, -5, 1), rooms: at(-5, cold) },
    { originalK: 0, check: { kind: 'raise', reason: 'cold-rooms', toK: -3 } },
  ],
  [
    'the lowest limit',
    { state: lowered(-7, -8), rooms: at(-8) },
    { check: { kind: 'hold', reason: 'at-limit' } },
  ],
  [
    'one command may not change more than the limits allow',
    { limits: { ...USUAL_SUPPLY_LIMITS, maxStepK: 0.5 } },
    { check: { kind: 'lower', toK: -0.5 } },
  ],
  [
    'rooms are no longer measured: back in steps',
    { state: lowered(-4, -5), rooms: at(-5, { measuredShare: 0.1 }) },
    { originalK: 0, check: { kind: 'restore', reason: 'not-measured', toK: -2 } },
  ],
  [
    'stopped: back in steps',
    { rules: undefined, state: lowered(-4, -5), rooms: at(-5) },
    { originalK: 0, check: { kind: 'restore', reason: 'stopped', toK: -2 } },
  ],
  [
    'a stopped strategy whose offset is back at the original does nothing',
    { rules: undefined, state: lowered(-2, 0), rooms: at(0) },
    { check: { kind: 'hold' } },
  ],
  [
    'a person set another offset: it is the new original',
    { rules: undefined, state: lowered(-1, -2), rooms: at(-4) },
    { check: { kind: 'hold', reason: 'stopped' } },
  ],
  [
    'a command that never arrived does not count as a change by a person',
    { state: lowered(-1, -2), rooms: at(-1) },
    { originalK: 0, check: { kind: 'lower', fromK: -1, toK: -2 } },
  ],
  [
    'a controller without offsets: advice',
    { rooms: at(0, { offsetK: undefined }) },
    { check: { kind: 'advise', reason: 'warm', changeK: -1 } },
  ],
  [
    'advice to raise',
    { rooms: at(0, { offsetK: undefined, ...cold }) },
    { check: { kind: 'advise', reason: 'cold-rooms', changeK: 2 } },
  ],
  [
    'a silent controller: nothing, and the original is remembered',
    { state: lowered(-1, -2), rooms: at(0, { offsetK: undefined, isPresent: false }) },
    { originalK: 0, check: { kind: 'hold', reason: 'not-measured' } },
  ],
  [
    'a first order that is not reported yet keeps the original',
    { state: lowered(0, -1, 1) },
    { originalK: 0, check: { kind: 'hold', reason: 'not-at-rest' } },
  ],
  [
    'stopped before the first order is reported: it is recalled',
    { rules: undefined, state: lowered(0, -1, 1) },
    { originalK: 0, check: { kind: 'restore', reason: 'stopped', fromK: -1, toK: 0 } },
  ],
  [
    'stopped before the controller reports a later order: back from the reported offset',
    { rules: undefined, state: lowered(-1, -2, 1), rooms: at(-1) },
    { originalK: 0, check: { kind: 'restore', reason: 'stopped', fromK: -1, toK: 0 } },
  ],
  [
    'an open order is recalled when rooms become cold',
    { state: lowered(0, -1, 1), rooms: at(0, cold) },
    { originalK: 0, check: { kind: 'restore', reason: 'at-original', fromK: -1, toK: 0 } },
  ],
  [
    'an open order is recalled when rooms are no longer measured',
    { state: lowered(0, -1, 1), rooms: at(0, { measuredShare: 0.1 }) },
    { originalK: 0, check: { kind: 'restore', reason: 'not-measured', fromK: -1, toK: 0 } },
  ],
  [
    'a recalled order that was executed late does not count as a change by a person',
    { rules: undefined, state: lowered(-1, 0, 1), rooms: at(-1) },
    { originalK: 0, check: { kind: 'restore', fromK: -1, toK: 0 } },
  ],
  [
    'a recall is done once the original is reported',
    { rules: undefined, state: lowered(-1, 0, 1), rooms: at(0) },
    { check: { kind: 'hold', reason: 'stopped', fromK: 0 } },
  ],
  [
    'a tightened limit raises an offset that the strategy lowered',
    {
      state: lowered(-4, -5, 1),
      rooms: at(-5),
      limits: { ...USUAL_SUPPLY_LIMITS, minOffsetK: -3 },
    },
    { originalK: 0, check: { kind: 'raise', reason: 'at-limit', fromK: -5, toK: -3 } },
  ],
  [
    'a tightened limit leaves an offset that a person set',
    {
      state: lowered(-1, -2, 1),
      rooms: at(-5),
      limits: { ...USUAL_SUPPLY_LIMITS, minOffsetK: -3 },
    },
    { check: { kind: 'hold', reason: 'not-at-rest', fromK: -5 } },
  ],
  [
    'the executed order of a person wins over an equal offset before the last step',
    { rules: undefined, state: lowered(-1, -2), rooms: at(-1), other: { ...byPerson, offsetK: -1 } },
    { check: { kind: 'hold', reason: 'stopped', fromK: -1 } },
  ],
  [
    'the executed order of a person wins over an equal offset of the last step',
    { rules: undefined, state: lowered(-1, -2), rooms: at(-2), other: { ...byPerson, offsetK: -2 } },
    { check: { kind: 'hold', reason: 'stopped', fromK: -2 } },
  ],
  [
    'rooms follow the order of a person too',
    { state: lowered(-1, -2), rooms: at(1), other: { ...byPerson, offsetK: 1 } },
    { check: { kind: 'hold', reason: 'not-at-rest', fromK: 1 } },
  ],
  [
    'later steps start from the offset of the person',
    { state: lowered(-1, -2), rooms: at(-1), other: { at: NOW - 90 * HOUR_MS, offsetK: -1, isOpen: false } },
    { originalK: -1, check: { kind: 'lower', fromK: -1, toK: -2 } },
  ],
  [
    'the order of a person on its way is not superseded',
    { state: lowered(-1, -2), rooms: at(-2, cold), other: { ...byPerson, offsetK: 1, isOpen: true } },
    { originalK: 0, check: { kind: 'hold', reason: 'person-order', fromK: -2 } },
  ],
  [
    'the order of a person on its way is not superseded by the first step either',
    { other: { ...byPerson, offsetK: 1, isOpen: true } },
    { check: { kind: 'hold', reason: 'person-order', fromK: 0 } },
  ],
  [
    'the order of a person on its way is not superseded by a stopped strategy',
    {
      rules: undefined,
      state: lowered(-1, -2),
      rooms: at(-2),
      other: { ...byPerson, offsetK: 1, isOpen: true },
    },
    { originalK: 0, check: { kind: 'hold', reason: 'person-order' } },
  ],
  [
    'the order of a person that had no effect changes nothing',
    { rules: undefined, state: lowered(-1, -2), rooms: at(-2), other: { ...byPerson, offsetK: 1 } },
    { originalK: 0, check: { kind: 'restore', fromK: -2, toK: 0 } },
  ],
  [
    'an earlier order that was executed late does not count as a change by a person',
    { rules: undefined, state: lowered(-1, 0, 1, [-2]), rooms: at(-2) },
    { originalK: 0, check: { kind: 'restore', fromK: -2, toK: 0 } },
  ],
  [
    'moved: back to the original',
    { rules: undefined, stop: 'moved', state: lowered(-1, -2), rooms: at(-2) },
    { originalK: 0, check: { kind: 'restore', reason: 'moved', fromK: -2, toK: 0 } },
  ],
  [
    'nine rooms are too few',
    { rooms: at(0, { roomsC: roomsFrom(22).slice(0, 9) }) },
    { check: { kind: 'hold', reason: 'not-measured', measuredRooms: 9 } },
  ],
])('%s', (_, change, expected) => {
  const plan = planSupply({ ...input, ...change })
  expect(plan).toMatchObject(expected)
  if (!('originalK' in expected)) {
    const isLowered = plan.check.toK !== undefined || (plan.check.fromK ?? 0) < (change.state?.originalK ?? 0)
    if (!isLowered || plan.check.reason === 'stopped') expect(plan.originalK).toBeUndefined()
  }
})

test('an order remembers the earlier orders that may still be executed, until one of them is reported', () => {
  const order = { at: 0, fromK: -1, toK: -2 }
  expect(toEarlier(undefined, 0)).toEqual([])
  expect(toEarlier(order, -2)).toEqual([])
  expect(toEarlier(order, -1)).toEqual([-2])
  expect(toEarlier({ ...order, toK: 0, earlierK: [-2] }, -1)).toEqual([-2, 0])
  expect(toEarlier({ ...order, earlierK: [-2] }, -1)).toEqual([-2])
  expect(toEarlier({ ...order, toK: 0, earlierK: [-2] }, -2)).toEqual([0])
})

test('a decision is due every hour of the plant, and every ten seconds at most', () => {
  expect(toSupplyPeriodMs(1)).toBe(HOUR_MS)
  expect(toSupplyPeriodMs(60)).toBe(60_000)
  expect(toSupplyPeriodMs(10_000)).toBe(10_000)
})
