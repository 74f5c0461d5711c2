import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { expect, test } from 'vitest'
import { findReasons, type RoomFacts } from './find-reasons.ts'

const feed = { deviceId: 7, openingPct: 50, supplyC: 45, returnC: 38, flowM3h: 1.2 }
const cold: RoomFacts = {
  state: 'cold',
  findings: 0,
  fellK: 0.2,
  feed,
  peers: { supplyC: 45, returnC: 38 },
  neighbours: { medianC: 20, rooms: 20 },
}
const kindsOf = (facts: Partial<RoomFacts>) =>
  findReasons({ ...cold, ...facts }, defaultRoomRules).map(({ kind }) => kind)

test('a cold room in a warm building, with usual water temperatures, has its cause inside the room', () => {
  expect(kindsOf({})).toEqual(['only-here'])
})

test('a cold room in a cold building has the building as its cause', () => {
  expect(kindsOf({ neighbours: { medianC: 17, rooms: 20 } })).toEqual(['neighbours-cold'])
})

test('a return far below the peers means too little flow, unless the supply already arrives cold', () => {
  expect(kindsOf({ feed: { ...feed, returnC: 34 } })).toEqual(['flow-low'])
  expect(kindsOf({ feed: { ...feed, supplyC: 40, returnC: 34 } })).toEqual(['supply-low'])
})

test('a closed valve is listed before the low flow that follows from it', () => {
  expect(kindsOf({ feed: { ...feed, openingPct: 5, returnC: 25 } })).toEqual(['valve-closed', 'flow-low'])
})

test('a fast fall of the temperature is listed as an open window', () => {
  expect(kindsOf({ fellK: 2 })[0]).toBe('window')
})

test('a hot room has too much flow or a valve wide open', () => {
  const hot = { state: 'hot', feed: { ...feed, openingPct: 95, returnC: 42 } } as const
  expect(kindsOf(hot)).toEqual(['flow-high', 'valve-open'])
  expect(kindsOf({ ...hot, neighbours: { medianC: 25, rooms: 9 } })).toContain('neighbours-hot')
})

test('a sensor that is silent or in doubt explains itself, and nothing is concluded from its value', () => {
  expect(kindsOf({ state: 'silent' })).toEqual(['sensor-silent'])
  expect(kindsOf({ state: 'doubtful' })).toEqual(['sensor-suspect'])
  expect(kindsOf({ state: 'ok', findings: 1 })).toEqual(['sensor-suspect'])
  expect(kindsOf({ state: 'ok' })).toEqual([])
})
