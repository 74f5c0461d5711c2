import { expect, test } from 'vitest'
import { planStep } from '../plan/plan-step.ts'
import { firstStep, makeStation } from '../plan/sample-station.testkit.ts'
import { listObjections } from './room-gate.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)

test('a room below 18 °C speaks against less flow, one of many too, and who is much colder than the others', () => {
  const roomC = of(21, 17.9, 20.5, 19, Number.NaN, 21)
  const coldestC = of(17.5, 17.9, 20.5, 19, Number.NaN, 18)
  const objections = listObjections({ roomC, coldestC })
  expect([...objections]).toEqual([
    [0, 'cold'],
    [1, 'cold'],
    [3, 'colder'],
  ])
})

test('of two consumers none is colder than the others', () => {
  const roomC = of(22, 19)
  expect(listObjections({ roomC, coldestC: roomC }).size).toBe(0)
})

const COUNT = 24
const station = makeStation(COUNT, 1)
const order = { ...firstStep(station), gateK: 0.4 }
const free = planStep(order)
const isClosed = ({ from, to }: { from: number; to: number }) => to < from
const closed = free.plan.moves.filter(isClosed).map(({ consumer }) => consumer)
/** Two that a trim by returns alone would close, and what their rooms show, °C. */
const [cold = 0, colder = 0] = closed
const roomC = new Float64Array(COUNT).fill(20.5)
const coldestC = roomC.slice()
coldestC[cold] = 17.5
roomC[colder] = 19

test('a trim closes nobody whose rooms speak against it, says why, and still balances the others', () => {
  const { plan, kept } = planStep({ ...order, seen: { ...order.seen, roomC }, coldestRoomC: coldestC })
  expect(closed.length).toBeGreaterThan(4)
  expect([...kept]).toEqual([
    [cold, 'cold'],
    [colder, 'colder'],
  ])
  const after = plan.moves.filter(isClosed).map(({ consumer }) => consumer)
  expect(after).not.toContain(cold)
  expect(after).not.toContain(colder)
  expect(after.length).toBeGreaterThan(2)
})

test('a trim opens whoever is short of flow, cold rooms or not', () => {
  const freezing = new Float64Array(COUNT).fill(16)
  const { plan, kept } = planStep({
    ...order,
    coldestRoomC: freezing,
    seen: { ...order.seen, roomC: freezing },
  })
  expect(plan.moves.length).toBeGreaterThan(0)
  expect(plan.moves.some(isClosed)).toBe(false)
  for (const { consumer } of plan.moves) expect(kept.has(consumer)).toBe(false)
})

test('a first step goes by its target whatever rooms show: rooms that get colder end the campaign', () => {
  const { kept } = planStep({ ...order, gateK: 0, coldestRoomC: coldestC })
  expect(kept.size).toBe(0)
})
