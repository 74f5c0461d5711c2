import { pumpHead } from '@isotherm/hydraulics/elements/pump'
import { kilogramPerSecond } from '@isotherm/kernel/quantities'
import { sum, weightedDeviation } from '@isotherm/kernel/statistics'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { describe, expect, test } from 'vitest'
import { assumePump } from '../records/assumed-pump.ts'
import type { LoopReadings } from '../records/loop-records.ts'
import type { StepGoal } from '../step/step-targets.ts'
import { planStep } from './plan-step.ts'
import { createSampleStation, firstStep, withoutRooms } from './sample-station.testkit.ts'

const COUNT = 24
const SEEDS = [1, 2, 3, 4, 5]
const spread = (values: Float64Array): number => weightedDeviation(values) ?? Number.NaN
const farthest = (one: Float64Array, other: Float64Array): number =>
  Math.max(...one.map((value, i) => Math.abs(Math.log(value / (other[i] ?? Number.NaN)))))

const widest = (one: Float64Array, other: Float64Array): number =>
  Math.max(...one.map((value, i) => Math.abs(value - (other[i] ?? Number.NaN))))

test.each(SEEDS)('one step brings returns together that differ by kelvins (%i)', (seed) => {
  const station = createSampleStation(COUNT, seed)
  const order = withoutRooms(firstStep(station))
  const { plan, expected, before, targets, flowKgS } = planStep(order)
  const after = station.readAt(plan.openings)
  expect(spread(order.readings.returnC)).toBeGreaterThan(2)
  expect(spread(after.returnC)).toBeLessThan(0.3)
  expect(farthest(before.flowKgS, flowKgS)).toBeLessThan(1e-3)
  expect(farthest(expected.flowKgS, after.meterKgS)).toBeLessThan(0.12)
  expect(widest(expected.returnC, after.returnC)).toBeLessThan(0.8)
  expect(Math.abs(expected.headPa / after.headPa - 1)).toBeLessThan(0.03)
  expect(sum(targets.flowKgS) / sum(flowKgS)).toBeCloseTo(1, 4)
})

test.each(SEEDS)('rooms change as predicted (%i)', (seed) => {
  const station = createSampleStation(COUNT, seed)
  const order = firstStep(station)
  const { plan, expected, before } = planStep(order)
  const after = station.readAt(plan.openings)
  // A sensor shows one room: the estimate of its building is nearer to the other buildings, but changes like the
  // sensor.
  const rise = (to: Float64Array, from: Float64Array) => to.map((value, i) => value - (from[i] ?? 0))
  expect(widest(rise(expected.roomC, before.roomC), rise(after.roomC, order.readings.roomC))).toBeLessThan(
    0.3,
  )
})

test('the moves are those of the waves, in steps of the motors and never below the minimum opening', () => {
  const order = firstStep(createSampleStation(COUNT, 7))
  const { plan, waves } = planStep(order)
  const carried = waves.steps.flatMap((step) => (step.kind === 'pump' ? [] : step.moves))
  const byConsumer = (one: { consumer: number }, other: { consumer: number }) => one.consumer - other.consumer
  expect(carried.toSorted(byConsumer)).toEqual(plan.moves.toSorted(byConsumer))
  expect(waves.steps.some(({ kind }) => kind === 'pump')).toBe(false)
  for (const { consumer, from, to } of plan.moves) {
    expect(from).toBe(order.openings[consumer])
    expect(to).toBeGreaterThanOrEqual(0.1)
    expect(Math.abs(100 * to - Math.round(100 * to))).toBeLessThan(1e-9)
  }
})

test('a fixed valve is not moved, its target is its present flow, and the others are balanced around it', () => {
  const station = createSampleStation(COUNT, 3)
  const order = firstStep(station)
  const isFixed = order.isFixed.map((_, i) => (i % 8 === 0 ? 1 : 0))
  const { plan, targets, flowKgS } = planStep({ ...order, isFixed })
  const free = (values: Float64Array) => values.filter((_, i) => isFixed[i] === 0)
  expect(plan.moves.some(({ consumer }) => isFixed[consumer] === 1)).toBe(false)
  for (const i of [0, 8, 16]) expect(targets.flowKgS[i]).toBeCloseTo(flowKgS[i] ?? 0, 9)
  expect(sum(targets.flowKgS) / sum(flowKgS)).toBeCloseTo(1, 4)
  expect([...targets.limited.keys()].filter((i) => isFixed[i] === 1)).toEqual([])
  const after = station.readAt(plan.openings)
  expect(spread(free(after.returnC))).toBeLessThan(0.35)
})

describe('what a goal makes equal', () => {
  const areas = (station: ReturnType<typeof createSampleStation>, values: Float64Array) =>
    values.map((value, i) => value / (station.records.areaM2[i] ?? 0))
  const heat = ({ meterKgS, supplyC, returnC }: LoopReadings) =>
    meterKgS.map((flow, i) => flow * WATER_HEAT_CAPACITY * ((supplyC[i] ?? 0) - (returnC[i] ?? 0)))
  const goals: readonly [
    string,
    StepGoal,
    (station: ReturnType<typeof createSampleStation>, readings: LoopReadings) => Float64Array,
    number,
  ][] = [
    [
      'the mean of supply and return',
      { kind: 'temperature', target: 'mean' },
      (_, readings) => readings.returnC.map((value, i) => (value + (readings.supplyC[i] ?? 0)) / 2),
      0.2,
    ],
    ['rooms', { kind: 'temperature', target: 'room' }, (_, readings) => readings.roomC, 0.5],
    [
      'heat for each m²',
      { kind: 'energy', heatWM2: 29 },
      (station, readings) => areas(station, heat(readings)),
      0.35,
    ],
    ['flow for each m²', { kind: 'flow' }, (station, readings) => areas(station, readings.meterKgS), 0.12],
  ]
  test.each(goals)('%s', (_, goal, read, left) => {
    const station = createSampleStation(COUNT, 2)
    const sensed = firstStep(station)
    // Only a target of rooms needs sensors; cold rooms would limit the others.
    const order = goal.kind === 'temperature' && goal.target === 'room' ? sensed : withoutRooms(sensed)
    const { plan } = planStep({ ...order, goal })
    const [before, after] = [
      spread(read(station, order.readings)),
      spread(read(station, station.readAt(plan.openings))),
    ]
    expect(after / before).toBeLessThan(left)
  })

  test('a requested flow is the target of all; without one they share the flow of the station', () => {
    const station = createSampleStation(COUNT, 2)
    // Cold rooms would keep more.
    const order = withoutRooms(firstStep(station))
    const requested = planStep({ ...order, goal: { kind: 'flow', flowKgHM2: 2.5 } })
    for (const each of areas(station, requested.targets.flowKgS)) expect(3600 * each).toBeCloseTo(2.5, 9)
    const shared = planStep({ ...order, goal: { kind: 'flow' } })
    expect(sum(shared.targets.flowKgS) / sum(shared.flowKgS)).toBeCloseTo(1, 6)
    for (const each of areas(station, shared.targets.flowKgS))
      expect(3600 * each).toBeCloseTo(shared.targets.common, 9)
  })
})

test('the advised head opens the worst valves to 95 %, and is below the present head', () => {
  const station = createSampleStation(COUNT, 5)
  const order = firstStep(station)
  const { advisedHeadPa, targets, expected } = planStep(order)
  expect(advisedHeadPa).toBeLessThan(expected.headPa)
  const pump = { kind: 'fixed-head', headPa: advisedHeadPa } as const
  const again = planStep({ ...order, pump })
  const widest = again.plan.openings.toSorted().at(-1)
  expect(widest).toBeGreaterThan(0.93)
  expect(again.targets.flowKgS).toEqual(targets.flowKgS)
})

test('two steps with temperatures only reach what one step with meters does', () => {
  const station = createSampleStation(COUNT, 4)
  const order = { ...withoutRooms(firstStep(station)), flows: 'temperature-only' as const }
  const first = planStep(order)
  const { openings } = first.plan
  const { readings } = withoutRooms({ ...order, readings: station.readAt(openings) })
  const { plan } = planStep({ ...order, openings, readings, memory: first.memory, gateK: 0.3 })
  expect(spread(readings.returnC)).toBeLessThan(0.5 * spread(order.readings.returnC))
  expect(spread(station.readAt(plan.openings).returnC)).toBeLessThan(0.35)
})

test('a consumer without a trusted thermometer is planned like the others of its size, and has no predicted return', () => {
  const station = createSampleStation(COUNT, 6)
  const order = firstStep(station)
  const returnC = order.readings.returnC.map((value, i) => (i === 5 ? Number.NaN : value))
  const { expected, targets, plan } = planStep({ ...order, readings: { ...order.readings, returnC } })
  expect(expected.returnC[5]).toBeNaN()
  expect([...targets.flowKgS, ...plan.openings].every(Number.isFinite)).toBe(true)
})

test('a pump with an unknown curve gets a curve through its present operating point', () => {
  const pump = assumePump(200_000, 20)
  if (pump.kind !== 'fixed-speed') throw new Error('it runs at one speed')
  expect(pumpHead(pump.pump, kilogramPerSecond(20), 1)).toBeCloseTo(200_000, 6)
  expect(pumpHead(pump.pump, kilogramPerSecond(0), 1)).toBeCloseTo(250_000, 6)
  const station = createSampleStation(COUNT, 1)
  const order = firstStep(station)
  const { headPa, totalKgS } = order.readings
  const { plan } = planStep({ ...order, pump: assumePump(headPa, totalKgS) })
  expect(spread(station.readAt(plan.openings).returnC)).toBeLessThan(0.35)
})
