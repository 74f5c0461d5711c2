import { expect, test } from 'vitest'
import { planStep } from '../plan/plan-step.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import { listObjections } from './room-gate.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)

test('a room below 18 °C objects to less flow, even one of many, and so does one much colder than the others', () => {
  const roomC = of(21, 17.9, 20.5, 19, Number.NaN, 21)
  const coldestC = of(17.5, 17.9, 20.5, 19, Number.NaN, 18)
  const objections = listObjections({ roomC, coldestC })
  expect([...objections]).toEqual([
    [0, 'cold'],
    [1, 'cold'],
    [3, 'colder'],
  ])
})

test('with two consumers none counts as colder than the others', () => {
  const roomC = of(22, 19)
  expect(listObjections({ roomC, coldestC: roomC }).size).toBe(0)
})

const COUNT = 24
const station = createSampleStation(COUNT, 1)
const order = { ...firstStep(station), gateK: 0.4 }
const isClosed = ({ from, to }: { from: number; to: number }) => to < from

/** Rooms of two consumers that a trim by returns alone would close, °C. */
function coolTwoRooms() {
  const closed = planStep(order)
    .plan.moves.filter(isClosed)
    .map(({ consumer }) => consumer)
  const [cold = 0, colder = 0] = closed
  const roomC = new Float64Array(COUNT).fill(20.5)
  const coldestC = roomC.slice()
  coldestC[cold] = 17.5
  roomC[colder] = 19
  return { closed, cold, colder, roomC, coldestC }
}

test('a trim closes no valve whose rooms object, states why, and still balances the others', () => {
  const { closed, cold, colder, roomC, coldestC } = coolTwoRooms()
  const { plan, objected } = planStep({ ...order, seen: { ...order.seen, roomC }, coldestRoomC: coldestC })
  expect(closed.length).toBeGreaterThan(4)
  expect([...objected]).toEqual([
    [cold, 'cold'],
    [colder, 'colder'],
  ])
  const after = plan.moves.filter(isClosed).map(({ consumer }) => consumer)
  expect(after).not.toContain(cold)
  expect(after).not.toContain(colder)
  expect(after.length).toBeGreaterThan(2)
})

test('a trim opens a valve that is short of flow, whether its rooms are cold or not', () => {
  const freezing = new Float64Array(COUNT).fill(16)
  const { plan, objected } = planStep({
    ...order,
    coldestRoomC: freezing,
    seen: { ...order.seen, roomC: freezing },
  })
  expect(plan.moves.length).toBeGreaterThan(0)
  expect(plan.moves.some(isClosed)).toBe(false)
  for (const { consumer } of plan.moves) expect(objected.has(consumer)).toBe(false)
})

test('a first step follows its targets whatever the rooms show: colder rooms abort the campaign', () => {
  const { coldestC } = coolTwoRooms()
  const { objected } = planStep({ ...order, gateK: 0, coldestRoomC: coldestC })
  expect(objected.size).toBe(0)
})
