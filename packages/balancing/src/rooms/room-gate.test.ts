import { expect, test } from 'vitest'
import { planStep } from '../plan/plan-step.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import type { StepGoal } from '../step/step-targets.ts'
import { listObjections } from './room-gate.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const warm = (count: number) => ({
  supplyC: new Float64Array(count).fill(46),
  returnC: new Float64Array(count).fill(38),
})

test('a room below 18 °C objects to less flow, even one of many, and so does one much colder than the others', () => {
  const roomC = of(21, 17.9, 20.5, 19, Number.NaN, 21)
  const coldestC = of(17.5, 17.9, 20.5, 19, Number.NaN, 18)
  const objections = listObjections({ roomC, coldestC, ...warm(6) })
  expect([...objections]).toEqual([
    [0, 'cold'],
    [1, 'cold'],
    [3, 'colder'],
  ])
})

test('with two consumers none counts as colder than the others', () => {
  const roomC = of(22, 19)
  expect(listObjections({ roomC, coldestC: roomC, ...warm(2) }).size).toBe(0)
})

test('18 °C is warm enough, and 1.3 K below the median is not much colder', () => {
  const roomC = of(20, 20, 20, 20, 20 - 1.3, 18.69, 18)
  const coldestC = of(18, 20, 20, 20, 18, 18, 18)
  expect([...listObjections({ roomC, coldestC, ...warm(7) })]).toEqual([
    [5, 'colder'],
    [6, 'colder'],
  ])
})

test('three measured consumers are enough for a comparison, and a mean below 18 °C without its rooms for an objection', () => {
  expect([...listObjections({ roomC: of(21, 21, 19), coldestC: of(21, 21, 19), ...warm(3) })]).toEqual([
    [2, 'colder'],
  ])
  expect([...listObjections({ roomC: of(17, 21), coldestC: of(Number.NaN, 21), ...warm(2) })]).toEqual([
    [0, 'cold'],
  ])
  expect([...listObjections({ roomC: of(21, 21), coldestC: of(17, 21), ...warm(2) })]).toEqual([[0, 'cold']])
})

test('water that leaves nearly as cold as the rooms starves a building: 95 % of the drop from the supply to the room', () => {
  const at = (supplyC: number, returnC: number, room: number) => {
    const roomC = of(room)
    return listObjections({ roomC, coldestC: roomC, supplyC: of(supplyC), returnC: of(returnC) }).get(0)
  }
  // 95 % of 40 K from 60 °C to a room of 20 °C is a return of 22 °C.
  expect(at(60, 22.01, 20)).toBeUndefined()
  expect(at(60, 21.99, 20)).toBe('starved')
  // A room without a reading counts as 20 °C.
  expect(at(60, 22.01, Number.NaN)).toBeUndefined()
  expect(at(60, 21.99, Number.NaN)).toBe('starved')
  // A supply that is no warmer than the room heats nothing, whatever the return is.
  expect(at(20, 19, 20)).toBeUndefined()
  expect(at(19, 17, 20)).toBeUndefined()
  expect(at(Number.NaN, 21, 20)).toBeUndefined()
  expect(at(60, Number.NaN, 20)).toBeUndefined()
  expect(at(60, 21, 17)).toBe('cold')
})

test('a room without a reading does not count among the others', () => {
  const roomC = of(Number.NaN, Number.NaN, Number.NaN, 22, 22, 20)
  expect([...listObjections({ roomC, coldestC: roomC, ...warm(6) })]).toEqual([[5, 'colder']])
})

const COUNT = 24
const orderTrim = () => ({ ...firstStep(createSampleStation(COUNT, 1)), gateK: 0.4 })
const isClosed = ({ from, to }: { from: number; to: number }) => to < from

/** Rooms of two consumers that a trim by returns alone would close, °C. */
function coolTwoRooms() {
  const order = orderTrim()
  const closed = planStep(order)
    .plan.moves.filter(isClosed)
    .map(({ consumer }) => consumer)
  const [cold = 0, colder = 0] = closed
  const roomC = new Float64Array(COUNT).fill(20.5)
  const coldestC = roomC.slice()
  coldestC[cold] = 17.5
  roomC[colder] = 19
  return { order, closed, cold, colder, roomC, coldestC }
}

test('a trim closes no valve whose rooms object, states why, and still balances the others', () => {
  const { order, closed, cold, colder, roomC, coldestC } = coolTwoRooms()
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

test('with cold rooms everywhere no valve closes, and none opens at the cost of others', () => {
  const order = orderTrim()
  const freezing = new Float64Array(COUNT).fill(16)
  const { plan } = planStep({ ...order, coldestRoomC: freezing, seen: { ...order.seen, roomC: freezing } })
  expect(plan.moves).toEqual([])
})

test('valves of cold rooms open, and others open only as far as no cold room loses flow', () => {
  const station = createSampleStation(COUNT, 1)
  const order = firstStep(station)
  const roomC = order.seen.meterKgS.map((flow, i) =>
    flow < 0.9 * (order.records.designKgS[i] ?? 0) ? 17 : 21,
  )
  const cold = [...roomC.keys()].filter((i) => roomC[i] === 17)
  const { plan, flowKgS } = planStep({
    ...order,
    coldestRoomC: roomC,
    seen: { ...order.seen, roomC },
  })
  expect(cold.length).toBeGreaterThan(3)
  const { meterKgS } = station.see(plan.openings)
  for (const i of cold) expect(meterKgS[i]).toBeGreaterThan(0.97 * (flowKgS[i] ?? 0))
  expect(
    plan.moves.filter(({ consumer, from, to }) => roomC[consumer] === 17 && to > from).length,
  ).toBeGreaterThan(2)
})

test('rooms object from the first step on, in every mode but a sequence', () => {
  const { order, cold, coldestC, roomC } = coolTwoRooms()
  const first = { ...order, gateK: 0, seen: { ...order.seen, roomC }, coldestRoomC: coldestC }
  const goals: readonly StepGoal[] = [
    { kind: 'temperature', target: 'return' },
    { kind: 'temperature', target: 'mean' },
    { kind: 'temperature', target: 'return', method: 'proportional' },
    { kind: 'flow' },
    { kind: 'energy', heatWM2: 30 },
  ]
  for (const goal of goals) {
    const { plan, flowKgS } = planStep({ ...first, goal })
    expect(plan.openings[cold]).toBeGreaterThanOrEqual(first.openings[cold] ?? 1)
    expect(plan.flows.flowKgS[cold]).toBeGreaterThanOrEqual(0.99 * (flowKgS[cold] ?? 0))
  }
  expect(planStep({ ...first, goal: { kind: 'flow' } }).objected.get(cold)).toBe('cold')
})

test('a building without meter and rooms whose water leaves as cold as a room is starved: its valve does not close', () => {
  const order = orderTrim()
  // 0.1 kg/s flow through a clogged strainer: the water cools to 20.1 or, with colder rooms, to 19.9 °C.
  for (const returnC of [20.1, 19.9]) {
    const starved = 3
    const seen = {
      ...order.seen,
      meterKgS: new Float64Array(COUNT).fill(Number.NaN),
      roomC: new Float64Array(COUNT).fill(Number.NaN),
      returnC: order.seen.returnC.map((value, i) => (i === starved ? returnC : value)),
    }
    const { plan, flowKgS, targets } = planStep({
      ...order,
      gateK: 0,
      seen,
      flows: 'temperature-only',
    })
    expect(flowKgS[starved]).toBeLessThan(0.2 * (order.records.designKgS[starved] ?? 0))
    expect(targets.flowKgS[starved]).toBeGreaterThan(flowKgS[starved] ?? 1)
    expect(plan.openings[starved]).toBeGreaterThanOrEqual(order.openings[starved] ?? 1)
    expect(plan.flows.flowKgS[starved]).toBeGreaterThan(flowKgS[starved] ?? 1)
    // More opening does not help: the circuit itself is clogged.
    expect(plan.starved).toContain(starved)
  }
})
