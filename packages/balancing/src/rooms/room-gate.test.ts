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

test('a consumer objects to less flow if any room is below 18 °C, or if its mean is much colder than the others', () => {
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

test('18 °C is not cold, and a mean 1.3 K below the median is not much colder', () => {
  const roomC = of(20, 20, 20, 20, 20 - 1.3, 18.69, 18)
  const coldestC = of(18, 20, 20, 20, 18, 18, 18)
  expect([...listObjections({ roomC, coldestC, ...warm(7) })]).toEqual([
    [5, 'colder'],
    [6, 'colder'],
  ])
})

test('means are compared from three consumers on, and without single rooms a mean below 18 °C is cold', () => {
  expect([...listObjections({ roomC: of(21, 21, 19), coldestC: of(21, 21, 19), ...warm(3) })]).toEqual([
    [2, 'colder'],
  ])
  expect([...listObjections({ roomC: of(17, 21), coldestC: of(Number.NaN, 21), ...warm(2) })]).toEqual([
    [0, 'cold'],
  ])
  expect([...listObjections({ roomC: of(21, 21), coldestC: of(17, 21), ...warm(2) })]).toEqual([[0, 'cold']])
})

test('a building is starved if its return is nearly as cold as its rooms: 95 % of the way from the supply', () => {
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

test('a trim closes no valve whose rooms are cold or colder, states the reason, and balances the others', () => {
  const { order, closed, cold, colder, roomC, coldestC } = coolTwoRooms()
  const { plan, objected } = planStep({
    ...order,
    readings: { ...order.readings, roomC },
    coldestRoomC: coldestC,
  })
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
  const { plan } = planStep({
    ...order,
    coldestRoomC: freezing,
    readings: { ...order.readings, roomC: freezing },
  })
  expect(plan.moves).toEqual([])
})

test('valves of cold rooms open, and others open only as far as no cold room loses flow', () => {
  const station = createSampleStation(COUNT, 1)
  const order = firstStep(station)
  const roomC = order.readings.meterKgS.map((flow, i) =>
    flow < 0.9 * (order.records.designKgS[i] ?? 0) ? 17 : 21,
  )
  const cold = [...roomC.keys()].filter((i) => roomC[i] === 17)
  const { plan, flowKgS } = planStep({
    ...order,
    coldestRoomC: roomC,
    readings: { ...order.readings, roomC },
  })
  expect(cold.length).toBeGreaterThan(3)
  const { meterKgS } = station.readAt(plan.openings)
  for (const i of cold) expect(meterKgS[i]).toBeGreaterThan(0.97 * (flowKgS[i] ?? 0))
  expect(
    plan.moves.filter(({ consumer, from, to }) => roomC[consumer] === 17 && to > from).length,
  ).toBeGreaterThan(2)
})

test('valves of cold rooms keep their flow from the first step on, in every mode but a sequence', () => {
  const { order, cold, coldestC, roomC } = coolTwoRooms()
  const first = { ...order, gateK: 0, readings: { ...order.readings, roomC }, coldestRoomC: coldestC }
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

test('the valve of a starved building does not close, also without a meter and without room sensors', () => {
  const order = orderTrim()
  // 0.1 kg/s flow through a clogged strainer: the water cools to 20.1 or, with colder rooms, to 19.9 °C.
  for (const returnC of [20.1, 19.9]) {
    const starved = 3
    const readings = {
      ...order.readings,
      meterKgS: new Float64Array(COUNT).fill(Number.NaN),
      roomC: new Float64Array(COUNT).fill(Number.NaN),
      returnC: order.readings.returnC.map((value, i) => (i === starved ? returnC : value)),
    }
    const { plan, flowKgS, targets } = planStep({
      ...order,
      gateK: 0,
      readings,
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
