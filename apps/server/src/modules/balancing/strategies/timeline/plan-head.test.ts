import { campaignState } from '@isotherm/contract/balancing/campaign'
import { USUAL_PUMP_LIMITS, USUAL_SUPPLY_LIMITS } from '@isotherm/contract/command'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { type HeadOrder, hasToRestore, type SupplyState } from '../storage/supply-state.ts'
import { createTestRooms, roomsFrom, supplyRules } from '../supply.testkit.ts'
import { type HeadInput, isHeadMoving, planHead } from './plan-head.ts'
import { planSupply } from './plan-supply.ts'

const NOW = 1_000 * HOUR_MS
/** Rooms that are comfortable, but would not be after a further step of the supply: the 5th percentile is 20.3 °C. */
const enough = { roomsC: roomsFrom(20.1), fresh: { roomsC: roomsFrom(20.1), share: 1 } }
const rooms = { ...createTestRooms(), ...enough, offsetK: -3, headKpa: 100 }
const state = (more: Partial<SupplyState> = {}): SupplyState => ({
  check: { at: 0, kind: 'lower', reason: 'warm' },
  nextAt: 0,
  originalK: 0,
  order: { at: NOW - 100 * HOUR_MS, fromK: -2, toK: -3 },
  ...more,
})
const input: HeadInput = {
  rules: { ...supplyRules, minHeadShare: 0.6 },
  limits: USUAL_SUPPLY_LIMITS,
  pump: USUAL_PUMP_LIMITS,
  state: state(),
  rooms,
  now: NOW,
  timeFactor: 1,
}
const planned = (more: Partial<HeadInput>) => {
  const whole = { ...input, ...more }
  return planHead(planSupply(whole), whole)
}
const sent = (fromKpa: number, toKpa: number, hoursAgo = 100): HeadOrder => ({
  originalKpa: 100,
  fromKpa,
  toKpa,
  at: NOW - hoursAgo * HOUR_MS,
})
const waiting = { originalKpa: 100, fromKpa: 100, toKpa: 85 }
/** The supply has risen for the step that waits. */
const risen = state({
  head: waiting,
  order: { at: NOW - HOUR_MS, fromK: -3, toK: -2.5, isForFlow: true },
})

test.each<[string, Partial<HeadInput>, object]>([
  [
    'a step starts with the supply: 8 % less flow, 8 K of difference, half as much more in a cold front',
    {},
    {
      head: waiting,
      check: { kind: 'raise', reason: 'less-flow', fromK: -3, toK: -2.5, fromKpa: 100, toKpa: 85 },
    },
  ],
  [
    'and the head follows once the controller reports it',
    { state: risen, rooms: { ...rooms, offsetK: -2.5 } },
    { orderKpa: 85, head: { ...waiting, at: NOW }, check: { kind: 'lower', reason: 'less-flow', toKpa: 85 } },
  ],
  ['not before', { state: risen }, { head: waiting, check: { kind: 'hold' } }],
  [
    'not during a campaign, which judges its waves by the head',
    { state: risen, rooms: { ...rooms, offsetK: -2.5 }, campaign: 'executing' },
    { head: waiting, check: { kind: 'hold' } },
  ],
  [
    'a warmer supply that people forbade is not ordered for it',
    { limits: { ...USUAL_SUPPLY_LIMITS, maxOffsetK: -3 } },
    { check: { kind: 'hold', reason: 'enough' } },
  ],
  [
    'cold rooms at the original offset raise the head',
    {
      state: state({ head: sent(85, 72), order: { at: NOW - 20 * HOUR_MS, fromK: -1, toK: 0 } }),
      rooms: { ...rooms, offsetK: 0, headKpa: 72, roomsC: roomsFrom(17) },
    },
    { orderKpa: 100, check: { kind: 'raise', reason: 'at-original', fromKpa: 72, toKpa: 100 } },
  ],
  [
    'without measured rooms the original head returns',
    {
      state: state({ head: sent(100, 85) }),
      rooms: { ...rooms, offsetK: 0, headKpa: 85, measuredShare: 0 },
    },
    { orderKpa: 100, check: { kind: 'restore', reason: 'not-measured' } },
  ],
  [
    'a stopped strategy restores the offset first',
    { rules: undefined, state: state({ head: sent(100, 85) }), rooms: { ...rooms, headKpa: 85 } },
    { head: sent(100, 85), check: { kind: 'restore', reason: 'stopped', toK: 0 } },
  ],
  [
    'and then the head',
    { rules: undefined, state: state({ head: sent(100, 85) }), rooms: { ...rooms, offsetK: 0, headKpa: 85 } },
    { orderKpa: 100, check: { kind: 'restore', reason: 'stopped', fromKpa: 85, toKpa: 100 } },
  ],
  [
    'also one that is not executed yet, so that it is superseded',
    { rules: undefined, state: state({ head: sent(100, 85, 0) }), rooms: { ...rooms, offsetK: 0 } },
    { orderKpa: 100 },
  ],
  [
    'a plan that no longer lowers the head restores it',
    { rules: supplyRules, state: state({ head: sent(100, 85) }), rooms: { ...rooms, headKpa: 85 } },
    { orderKpa: 100, check: { kind: 'restore' } },
  ],
])('%s', (_, more, expected) => {
  expect(planned(more)).toMatchObject(expected)
})

test('a head ordered by another user is the new original head and is not restored', () => {
  const changed = { state: state({ head: sent(100, 85) }), rooms: { ...rooms, offsetK: 0, headKpa: 70 } }
  const plan = planned({ ...changed, rules: undefined })
  expect(plan.orderKpa).toBeUndefined()
  expect(plan.head).toBeUndefined()
})

test.each([
  ['a person or a campaign', 120],
  ['somebody who lowered it', 90],
])('a head that %s set while a step waits stays, and is the new original', (_, headKpa) => {
  const plan = planned({ state: risen, rooms: { ...rooms, offsetK: -2.5, headKpa } })
  expect(plan.orderKpa).toBeUndefined()
  expect(plan.head).toBeUndefined()
  const stopped = planned({ rules: undefined, state: risen, rooms: { ...rooms, offsetK: 0, headKpa } })
  expect(stopped.orderKpa).toBeUndefined()
  expect(hasToRestore({ ...stopped, nextAt: 0 })).toBe(false)
})

/** A second step that waits for its supply, since some hours of the plant. */
const waitsSince = (hours: number, toKpa: number) =>
  state({
    head: { originalKpa: 100, fromKpa: 85, toKpa },
    order: { at: NOW - hours * HOUR_MS, fromK: -3, toK: -2.5, isForFlow: true },
  })

test('a step whose supply is not reported for six hours is dropped, and what was lowered before is restored', () => {
  const at85 = { ...rooms, headKpa: 85 }
  const long = waitsSince(6, 73)
  expect(planned({ state: waitsSince(5, 73), rooms: at85 }).head).toEqual(long.head)
  expect(planned({ state: long, rooms: at85 }).head).toMatchObject({
    originalKpa: 100,
    toKpa: 85,
    at: long.order?.at,
  })
  // Later the supply is reported: the step is not made up for.
  expect(planned({ state: long, rooms: { ...at85, offsetK: -2.5 } }).orderKpa).toBeUndefined()
  const first = state({ ...long, head: waiting })
  expect(planned({ state: first }).head).toBeUndefined()
})

test('no campaign starts while a step waits, and for three hours after it', () => {
  expect(isHeadMoving(null, NOW, 1)).toBe(false)
  expect(isHeadMoving(waitsSince(5, 73), NOW, 1)).toBe(true)
  expect(isHeadMoving(waitsSince(6, 73), NOW, 1)).toBe(false)
  // Plants whose time runs faster decide more often.
  expect(isHeadMoving(waitsSince(1, 73), NOW, 10)).toBe(false)
  expect(isHeadMoving(state({ head: sent(100, 85, 2) }), NOW, 1)).toBe(true)
  expect(isHeadMoving(state({ head: sent(100, 85, 3) }), NOW, 1)).toBe(false)
})

test('cold rooms before the head falls cancel the step: the supply rises further and the head stays', () => {
  const plan = planned({ state: risen, rooms: { ...rooms, offsetK: -2.5, roomsC: roomsFrom(17) } })
  expect(plan).toMatchObject({ check: { kind: 'raise', reason: 'cold-rooms', toK: -0.5 } })
  expect(plan.orderKpa).toBeUndefined()
  expect(plan.head).toBeUndefined()
})

const isMoving = { executing: true, settling: true, 'rolling-back': true }
const waitsForPeople = { paused: false, verified: false, aborted: false }
test.each(Object.entries({ ...isMoving, ...waitsForPeople }))(
  'a campaign in the state %s stops the head from going down, and from going up: %s',
  (name, isBlocked) => {
    const campaign = campaignState.parse(name)
    const lowered = state({ head: sent(85, 72), order: { at: NOW - 20 * HOUR_MS, fromK: -1, toK: 0 } })
    const at72 = { ...rooms, offsetK: 0, headKpa: 72 }
    const cold = planned({ campaign, state: lowered, rooms: { ...at72, roomsC: roomsFrom(17) } })
    const stopped = planned({ campaign, state: lowered, rooms: at72, rules: undefined })
    expect([cold.orderKpa, stopped.orderKpa]).toEqual(isBlocked ? [undefined, undefined] : [100, 100])
    expect(planned({ campaign }).head).toBeUndefined()
    expect(planned({ campaign, state: risen, rooms: { ...rooms, offsetK: -2.5 } }).head).toEqual(waiting)
  },
)

test('a head that the limits of the pump forbid is not waited for', () => {
  const pump = { ...USUAL_PUMP_LIMITS, maxHeadKpa: 90 }
  const stopped = { rules: undefined, pump }
  const at = (headKpa: number) => ({ ...rooms, offsetK: 0, headKpa })
  expect(planned({ ...stopped, state: state({ head: sent(100, 72) }), rooms: at(72) }).orderKpa).toBe(90)
  const ended = planned({ ...stopped, state: state({ head: sent(72, 90, 1) }), rooms: at(90) })
  expect(ended.orderKpa).toBeUndefined()
  expect(hasToRestore({ ...ended, nextAt: 0 })).toBe(false)
})

/** The head is lowered, and the offset could rise by 1 K. */
const below = {
  state: state({ head: sent(85, 72), order: { at: NOW - HOUR_MS, fromK: -2, toK: -1, batch: 'b1' } }),
  rooms: { ...rooms, offsetK: -1, headKpa: 72, roomsC: roomsFrom(17) },
}
const unreported = { ...below, rooms: { ...below.rooms, offsetK: -2 } }
const raised = { orderKpa: 100, check: { kind: 'raise', fromKpa: 72, toKpa: 100 } }
const restored = { orderKpa: 100, check: { kind: 'restore', fromKpa: 72, toKpa: 100 } }
const reported = { ...below.state, order: { at: NOW - 20 * HOUR_MS, fromK: -2, toK: -1, batch: 'b1' } }
const advised = (share: number) => ({
  state: { check: input.state?.check ?? reported.check, nextAt: 0, head: sent(85, 72) },
  rooms: { ...below.rooms, offsetK: undefined, measuredShare: share },
})

test.each<[string, Partial<HeadInput>, object]>([
  ['its offset is refused', { ...below, state: reported, isOffsetRefused: true }, raised],
  ['its rise is not reported by the next decision', unreported, raised],
  [
    'its offset is as good as the original one',
    {
      state: { ...reported, order: { ...reported.order, fromK: -1.2, toK: -0.2 } },
      rooms: { ...below.rooms, offsetK: -0.2 },
    },
    raised,
  ],
  [
    'people limit its offset',
    { ...below, state: reported, limits: { ...USUAL_SUPPLY_LIMITS, maxOffsetK: -1 } },
    raised,
  ],
  ['it can only advise', advised(1), raised],
  ['its offset is refused when it stops', { ...below, rules: undefined, isOffsetRefused: true }, restored],
  ['its offset is not reported when it stops', { ...unreported, rules: undefined }, restored],
  [
    'its offset is refused without measured rooms',
    { ...below, rooms: { ...below.rooms, measuredShare: 0 }, isOffsetRefused: true },
    restored,
  ],
])('the head of a strategy returns also if %s', (_, more, expected) => {
  const plan = planned(more)
  expect(plan).toMatchObject(expected)
  // No offset is ordered with it.
  expect(plan.check).not.toHaveProperty('toK')
})

test('an offset that is not reported is ordered again in turn with the head, and first where it was just ordered', () => {
  const justNow = { ...reported, order: { ...reported.order, at: NOW - 60_000 } }
  const turns = { ...reported, head: sent(72, 90, 1) }
  for (const each of [justNow, turns]) {
    const plan = planned({ rules: undefined, state: each, rooms: unreported.rooms })
    expect(plan).toMatchObject({ check: { kind: 'restore', toK: 0 } })
    expect(plan.orderKpa).toBeUndefined()
  }
})

test.each([
  // The largest change is 80 kPa.
  [200, 100, undefined, 180],
  [200, 100, 90.4, 170],
  [200, 100, 110.6, 190],
  [200, 199, 110, undefined],
  [200, 100, 15, undefined],
])('of %d kPa a head of %d kPa, measured as %s, is restored within the limits of commands: %s', (...kpa) => {
  const [originalKpa, headKpa, measuredKpa, orderKpa] = kpa
  const head = { originalKpa, fromKpa: originalKpa, toKpa: headKpa, at: NOW - 100 * HOUR_MS }
  const plan = planned({
    rules: undefined,
    state: state({ head }),
    rooms: { ...rooms, offsetK: 0, headKpa, measuredKpa },
  })
  expect(plan.orderKpa).toBe(orderKpa)
  // It is tried again until the original head is reached.
  if (headKpa === 100) expect(plan.head?.originalKpa).toBe(200)
})

test('the lowest head is a share of the first one, whatever a balance sets later', () => {
  const first = planned({})
  expect(first).toMatchObject({ firstKpa: 100, head: waiting })
  const at70 = { rooms: { ...rooms, headKpa: 70 }, state: state({ firstKpa: 100 }) }
  expect(planned(at70)).toMatchObject({ firstKpa: 100, head: { originalKpa: 70, toKpa: 60 } })
  // At 60 % of the first head it stays, and no head of somebody else is raised.
  for (const headKpa of [60, 45])
    expect(planned({ ...at70, rooms: { ...rooms, headKpa } })).toMatchObject({
      firstKpa: 100,
      check: { kind: 'hold' },
    })
  // A higher head is a new first one; a strategy that stopped starts again.
  expect(planned({ state: state({ firstKpa: 100 }), rooms: { ...rooms, headKpa: 120 } }).firstKpa).toBe(120)
  expect(planned({ ...at70, rules: undefined }).firstKpa).toBeUndefined()
})

test.each<[string, Partial<HeadInput>]>([
  ['a stated share', { rules: { ...supplyRules, minHeadShare: 0.85 } }],
  ['the limits of the pump', { pump: { ...USUAL_PUMP_LIMITS, minHeadKpa: 85 } }],
])('a head below %s is raised to it, and a step that waits stops there', (_, more) => {
  const lowered = { ...more, state: state({ head: sent(85, 72) }), rooms: { ...rooms, headKpa: 72 } }
  expect(planned(lowered)).toMatchObject({
    orderKpa: 85,
    check: { kind: 'raise', reason: 'at-limit', toKpa: 85 },
  })
  const head = { originalKpa: 100, fromKpa: 100, toKpa: 72 }
  const waits = planned({ ...more, state: { ...risen, head }, rooms: { ...rooms, offsetK: -2.5 } })
  expect(waits.orderKpa).toBe(85)
  // Too little is left for a command: the first step is still restored later.
  const second = { ...risen, head: { originalKpa: 100, fromKpa: 86, toKpa: 72 } }
  const dropped = planned({ ...more, state: second, rooms: { ...rooms, offsetK: -2.5, headKpa: 86 } })
  expect(dropped.orderKpa).toBeUndefined()
  expect(dropped.head).toMatchObject({ originalKpa: 100, toKpa: 86, at: NOW })
})

test('a strategy without a rule for the pump leaves it alone', () => {
  const plan = planned({ rules: supplyRules })
  expect(plan.head).toBeUndefined()
  expect(plan.check).toMatchObject({ kind: 'hold', reason: 'enough' })
})
