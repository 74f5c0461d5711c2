import { celsius, kelvin, second } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { decideSupplyStep, ROOM_PER_SUPPLY, type SupplyRules, type SupplySituation } from './supply-step.ts'

const DAY_S = 86_400
const rules: SupplyRules = {
  lowerK: kelvin(1),
  raiseK: kelvin(2),
  minOffsetK: kelvin(-8),
  comfortC: celsius(20),
  coldC: celsius(18.5),
  maxColdShare: 0.02,
  minRooms: 20,
  minMeasuredShare: 0.5,
}
/** A hundred rooms, the coldest at `lowestC`, 0.04 K apart: the 5th percentile is 0.2 K above the coldest. */
const rooms = (lowestC: number) => Float64Array.from({ length: 100 }, (_, index) => lowestC + 0.04 * index)
/** Warm rooms with the first few cold. */
const withCold = (count: number) => rooms(21).map((room, index) => (index < count ? 18 : room))
const warm: SupplySituation = {
  offsetK: kelvin(-2),
  originalK: kelvin(0),
  roomsC: rooms(21),
  measuredShare: 1,
  driftK: kelvin(0),
  sinceChangeS: second(3 * DAY_S),
  wasRaised: false,
  restS: second(2 * DAY_S),
}
const soon = { sinceChangeS: second(3_600) }

test.each<[string, Partial<SupplySituation>, object]>([
  ['warm rooms at rest: one step down', {}, { kind: 'lower', why: 'warm', offsetK: -3 }],
  ['the first step starts at the original', { offsetK: kelvin(0) }, { kind: 'lower', offsetK: -1 }],
  [
    'a controller without a change yet',
    { sinceChangeS: second(Number.POSITIVE_INFINITY) },
    { kind: 'lower' },
  ],
  [
    'rooms have not followed',
    { sinceChangeS: second(DAY_S) },
    { kind: 'hold', why: 'not-at-rest', waitS: DAY_S },
  ],
  [
    'rooms follow moves of valves',
    { roomsWaitS: second(7_200) },
    { kind: 'hold', why: 'not-at-rest', waitS: 7_200 },
  ],
  ['rooms become colder', { driftK: kelvin(-0.6) }, { kind: 'hold', why: 'drifting' }],
  ['nothing is known of the drift', { driftK: kelvin(Number.NaN) }, { kind: 'hold', why: 'drifting' }],
  ['rooms that become warmer are no reason to wait', { driftK: kelvin(2) }, { kind: 'lower' }],
  ['less than a step is left', { offsetK: kelvin(-7.5) }, { kind: 'lower', offsetK: -8 }],
  [
    'too few rooms with a new reading',
    { fresh: { roomsC: rooms(21).fill(Number.NaN, 19), share: 1 } },
    { kind: 'hold', why: 'not-fresh', measuredRooms: 100 },
  ],
  [
    'too few buildings with a new reading',
    { fresh: { roomsC: rooms(21), share: 0.49 } },
    { kind: 'hold', why: 'not-fresh' },
  ],
  [
    'rooms with new readings are colder than all',
    { fresh: { roomsC: rooms(20.1).fill(Number.NaN, 40), share: 1 } },
    { kind: 'hold', why: 'enough' },
  ],
  [
    'old readings that are cold raise the offset',
    { roomsC: withCold(3), fresh: { roomsC: [], share: 0 } },
    { kind: 'raise', why: 'cold-rooms' },
  ],
  [
    'just enough rooms and buildings',
    {
      roomsC: rooms(21).slice(0, 20),
      measuredShare: 0.5,
      fresh: { roomsC: rooms(21).slice(0, 20), share: 0.5 },
    },
    { kind: 'lower' },
  ],
  // Controllers round: −0.04 K is the original, and −7.97 K the lowest.
  [
    'a rounded original is not restored',
    { offsetK: kelvin(-0.04), roomsC: [] },
    { kind: 'hold', why: 'not-measured' },
  ],
  ['a rounded lowest offset', { offsetK: kelvin(-7.97) }, { kind: 'hold', why: 'at-limit' }],
  ['a drift of half a kelvin is weather', { driftK: kelvin(-0.5) }, { kind: 'lower' }],
  ['the lowest offset', { offsetK: kelvin(-8) }, { kind: 'hold', why: 'at-limit' }],
  ['an offset below the lowest is not lowered', { offsetK: kelvin(-9) }, { kind: 'hold', why: 'at-limit' }],
  // Worked example: a step of 1 K lowers rooms by 0.5 K; the 5th percentile is 20.3 and would be 19.8 °C.
  ['a step would leave comfort', { roomsC: rooms(20.1) }, { kind: 'hold', why: 'enough' }],
  ['a step just keeps comfort', { roomsC: rooms(20.31) }, { kind: 'lower' }],
  ['a little below comfort is scatter', { roomsC: rooms(19.55) }, { kind: 'hold', why: 'enough' }],
  ['below comfort', { roomsC: rooms(19.4) }, { kind: 'raise', why: 'below-comfort', offsetK: 0 }],
  ['below comfort soon after a step down', { ...soon, roomsC: rooms(19.4) }, { kind: 'raise' }],
  [
    'a rise takes effect first',
    { ...soon, wasRaised: true, roomsC: rooms(19.4) },
    { kind: 'hold', why: 'below-comfort', waitS: 0.5 * DAY_S - 3_600 },
  ],
  [
    'and is followed by another',
    { sinceChangeS: second(0.5 * DAY_S), wasRaised: true, roomsC: rooms(19.4) },
    { kind: 'raise' },
  ],
  ['as many cold rooms as allowed', { roomsC: withCold(2) }, { kind: 'lower' }],
  ['one more', { ...soon, roomsC: withCold(3) }, { kind: 'raise', why: 'cold-rooms', offsetK: 0 }],
  ['a rise in two steps', { offsetK: kelvin(-5), roomsC: withCold(3) }, { kind: 'raise', offsetK: -3 }],
  [
    'a rise ends at the original',
    { offsetK: kelvin(-1), roomsC: withCold(3) },
    { kind: 'raise', offsetK: 0 },
  ],
  [
    'rooms are cold with the original',
    { offsetK: kelvin(0), roomsC: withCold(3) },
    { kind: 'hold', why: 'at-original' },
  ],
  [
    'and with more than the original',
    { offsetK: kelvin(3), roomsC: withCold(3) },
    { kind: 'hold', why: 'at-original' },
  ],
  [
    'few rooms: back to the original',
    { roomsC: rooms(21).slice(0, 19) },
    { kind: 'restore', why: 'not-measured', offsetK: 0 },
  ],
  [
    'few buildings: back to the original',
    { measuredShare: 0.49 },
    { kind: 'restore', why: 'not-measured', offsetK: 0 },
  ],
  [
    'nothing was changed: nothing is done',
    { offsetK: kelvin(0), roomsC: [] },
    { kind: 'hold', why: 'not-measured' },
  ],
  [
    'rooms without trusted readings are not measured',
    { roomsC: rooms(21).map((room, index) => (index < 81 ? Number.NaN : room)) },
    { kind: 'restore', measuredRooms: 19 },
  ],
])('%s', (_, change, expected) => {
  expect(decideSupplyStep(rules, { ...warm, ...change })).toMatchObject(expected)
})

test('a step counts rooms that it would make cold', () => {
  // 18.5 °C is not cold; three such rooms would be 18 °C after a step.
  const roomsC = withCold(3).map((room) => Math.max(18.5, room))
  expect(decideSupplyStep(rules, { ...warm, roomsC })).toMatchObject({ kind: 'hold', why: 'enough' })
})

test('a larger step needs warmer rooms', () => {
  // The 5th percentile is 20.6 °C: 0.5 K colder after a step of 1 K, and 1 K colder after one of 2 K.
  const roomsC = rooms(20.4)
  expect(decideSupplyStep(rules, { ...warm, roomsC })).toMatchObject({ kind: 'lower', offsetK: -3 })
  expect(decideSupplyStep({ ...rules, lowerK: kelvin(2) }, { ...warm, roomsC })).toMatchObject({
    kind: 'hold',
    why: 'enough',
  })
})

test('a decision has the figures it is based on', () => {
  const decision = decideSupplyStep(rules, { ...warm, roomsC: withCold(3) })
  expect(decision).toMatchObject({ measuredRooms: 100, coldShare: 0.03 })
  expect(decision.lowestC).toBeCloseTo(21.198, 2)
  expect(decideSupplyStep(rules, { ...warm, roomsC: [] })).toMatchObject({
    measuredRooms: 0,
    coldShare: undefined,
    lowestC: undefined,
  })
})

test('the offset stays between the lowest and the original, and settles without oscillation', () => {
  const visited: number[] = []
  let offsetK = 0
  for (let step = 0; step < 20; step++) {
    // The rooms answer as the rule assumes: 0.5 K per K of supply.
    const decision = decideSupplyStep(rules, {
      ...warm,
      offsetK: kelvin(offsetK),
      roomsC: rooms(21.31 + 0.5 * offsetK),
    })
    if (decision.kind === 'hold') break
    offsetK = decision.offsetK
    visited.push(offsetK)
  }
  expect(visited).toEqual([-1, -2, -3])
})

test('rooms follow about half of a change of the supply, from the balances of emitter and building', () => {
  // Per rated heat: radiators 50/40 °C, rooms 20 °C, −5 °C outside; UA and 1/2ṁc of the rated point.
  const [exponent, lossK, halfDropK] = [1.3, 1 / 25, 5]
  const follow = (load: number): number => {
    const excessK = 25 * load ** (1 / exponent)
    const slope = (exponent * load) / excessK
    return slope / (slope * (1 + lossK * halfDropK) + lossK)
  }
  expect(follow(1)).toBeCloseTo(0.51, 2)
  expect(follow(0.5)).toBeCloseTo(0.48, 2)
  for (const load of [1, 0.5]) expect(Math.abs(ROOM_PER_SUPPLY - follow(load))).toBeLessThan(0.03)
})
