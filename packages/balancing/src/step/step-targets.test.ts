import { sum } from '@isotherm/kernel/statistics'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { expect, test } from 'vitest'
import { createSampleLoop } from '../loop/sample-loop.testkit.ts'
import { createSampleStation, firstStep } from '../plan/sample-station.testkit.ts'
import type { LoopReadings, LoopRecords } from '../records/loop-records.ts'
import {
  computeStepTargets,
  roomsOf,
  type StepGoal,
  type StepTargetOrder,
  thermalOf,
} from './step-targets.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const unknown = () => of(Number.NaN, Number.NaN, Number.NaN)

/** Three consumers of 1,000, 2,000 and 3,000 m² with a design flow of 3.6 kg/(h·m²). */
const recordsOf = (): LoopRecords => ({
  loop: createSampleLoop(3),
  exponent: of(1.3, 1.3, 1.3),
  areaM2: of(1000, 2000, 3000),
  designKgS: of(1, 2, 3),
  emitter: of(600, 1200, 1800),
})
/** Too much water, too little, about right: 40, 45 and 42 W/m². */
const readingsOf = (): LoopReadings => ({
  supplyC: of(50, 50, 50),
  returnC: of(42, 38, 40),
  meterKgS: of(1.2, 1.8, 3),
  roomC: unknown(),
  outdoorC: -5,
  headPa: 100_000,
  totalKgS: 6,
})
const orderOf = (goal: StepGoal, changes: Partial<StepTargetOrder> = {}): StepTargetOrder => ({
  records: recordsOf(),
  readings: readingsOf(),
  flowKgS: of(1.2, 1.8, 3),
  roomC: unknown(),
  goal,
  isFixed: new Uint8Array(3),
  ...changes,
})
const targetsOf = (goal: StepGoal, changes: Partial<StepTargetOrder> = {}) =>
  computeStepTargets(orderOf(goal, changes))
const expectNear = (found: Float64Array, ...wanted: number[]): void =>
  expect([...found]).toEqual(wanted.map((value) => expect.closeTo(value, 5)))
const spread = (values: Float64Array): number => Math.max(...values) - Math.min(...values)

test('emitter and envelope of a consumer follow from its heat: K = Q/LMTD^n, UA = Q/(T_i − T_o)', () => {
  const { coefficient, lossWK } = thermalOf(recordsOf(), readingsOf(), of(1.2, 1.8, 3), of(22, 20, 21))
  // 3 kg/s cool by 10 K: 125.61 kW at an LMTD of 29 and 19 K.
  expect(coefficient[2]).toBeCloseTo(125_610 / (10 / Math.log(29 / 19)) ** 1.3, 6)
  expect(lossWK[2]).toBeCloseTo(125_610 / 26, 9)
  expect(lossWK[0]).toBeCloseTo((1.2 * 4187 * 8) / 27, 9)
})

test('a consumer whose rooms still move loses heat like the median of the others, by area', () => {
  const readings = { ...readingsOf(), roomsMove: Uint8Array.of(0, 0, 1) }
  const [flows, rooms] = [of(1.2, 1.8, 3), of(20, 20, 15)]
  const { lossWK } = thermalOf(recordsOf(), readings, flows, rooms)
  const [first = 0, second = 0] = lossWK
  expect(lossWK[2]).toBeCloseTo((3000 * (first / 1000 + second / 2000)) / 2, 6)
})

test('a consumer without trusted temperatures takes heat like the median of the others, by area', () => {
  const readings = { ...readingsOf(), supplyC: of(50, 52, Number.NaN), returnC: of(40, 40, Number.NaN) }
  const { supplyC, coefficient, lossWK } = thermalOf(recordsOf(), readings, of(1, 2, 3), of(20, 20, 20))
  expect([...supplyC]).toEqual([50, 52, 51])
  // 41.87 W/m² of the first and 50.24 W/m² of the second at 25 K: 1.8423 W/(m²·K) for 3,000 m².
  expect(lossWK[2]).toBeCloseTo((3000 * (41.87 + 50.244)) / 2 / 25, 6)
  const [first = 0, second = 0] = coefficient
  expect(coefficient[2]).toBeCloseTo((3000 * (first / 1000 + second / 2000)) / 2, 6)
  expect(lossWK[0]).toBeCloseTo(41_870 / 25, 6)
})

test('rooms are estimated from the sensors; without any sensor no room is known', () => {
  const { records, readings } = firstStep(createSampleStation(16, 1))
  const estimated = roomsOf(records, readings, readings.meterKgS)
  estimated.forEach((roomC, i) => {
    expect(Math.abs(roomC - (readings.roomC[i] ?? Number.NaN)), String(i)).toBeLessThan(0.7)
  })
  const blind = { ...readings, roomC: readings.roomC.map(() => Number.NaN) }
  expect([...roomsOf(records, blind, readings.meterKgS)].every(Number.isNaN)).toBe(true)
})

test('a sensor counts for less than emitter and envelope: it is in one room of many', () => {
  const { records, readings } = firstStep(createSampleStation(16, 1))
  const warmer = { ...readings, roomC: readings.roomC.map((room, i) => (i === 3 ? room + 4 : room)) }
  const rise =
    (roomsOf(records, warmer, readings.meterKgS)[3] ?? 0) -
    (roomsOf(records, readings, readings.meterKgS)[3] ?? 0)
  expect(rise).toBeGreaterThan(0.5)
  expect(rise).toBeLessThan(3.5)
})

test('equal returns use the present flow of the loop', () => {
  const { flowKgS, returnC, common } = targetsOf({ kind: 'temperature', target: 'return' })
  expect(sum(flowKgS)).toBeCloseTo(6, 4)
  expect(spread(returnC)).toBeLessThan(1e-3)
  expect(returnC[0]).toBeCloseTo(common, 4)
  expect(flowKgS[0]).toBeLessThan(1.1)
  expect(flowKgS[1]).toBeGreaterThan(1.9)
})

test('an offset is added to the common return', () => {
  const { returnC, common } = targetsOf({ kind: 'temperature', target: 'return', offsetK: of(0, -1, 2) })
  expectNear(
    returnC.map((value) => Math.round(1000 * (value - common)) / 1000),
    0,
    -1,
    2,
  )
})

test('equal means of supply and return let a consumer with a colder supply have a warmer return', () => {
  const readings = { ...readingsOf(), supplyC: of(50, 50, 48) }
  const { returnC } = targetsOf({ kind: 'temperature', target: 'mean' }, { readings })
  expect((returnC[2] ?? 0) - (returnC[0] ?? 0)).toBeCloseTo(2, 3)
  expect((returnC[1] ?? 0) - (returnC[0] ?? 0)).toBeCloseTo(0, 3)
})

test('equal rooms use the present flow of the loop and the known rooms', () => {
  const targets = targetsOf({ kind: 'temperature', target: 'room' }, { roomC: of(22, 20, 18) })
  expect(spread(targets.roomC)).toBeLessThan(1e-3)
  expect(sum(targets.flowKgS)).toBeCloseTo(6, 4)
  expect(targets.flowKgS[0]).toBeLessThan(1.2)
  expect(targets.flowKgS[2]).toBeGreaterThan(3)
})

test('without any known room 20 °C are assumed; with a few, the other consumers are like them', () => {
  const goal = { kind: 'temperature', target: 'room' } as const
  const assumed = targetsOf(goal, { roomC: of(20, 20, 20) })
  expect(targetsOf(goal)).toEqual(assumed)
  const few = targetsOf(goal, { roomC: of(23, Number.NaN, 23) })
  expect(few.common).toBeGreaterThan(assumed.common + 1)
})

test.each([
  ['energy', { kind: 'energy', heatWM2: 40 }],
  ['a sequence of rooms', { kind: 'sequence', share: unknown(), roomC: of(20, 20, 20), frostC: 5 }],
] as const)('the target of %s uses the known rooms', (_, goal) => {
  const warm = targetsOf(goal, { roomC: of(24, 24, 24) })
  const cold = targetsOf(goal, { roomC: of(18, 18, 18) })
  const miss = [...warm.flowKgS, ...warm.roomC].map((value, i) =>
    Math.abs(value / ([...cold.flowKgS, ...cold.roomC][i] ?? Number.NaN) - 1),
  )
  expect(Math.max(...miss)).toBeGreaterThan(0.1)
})

test('the target of returns assumes rooms of 20 °C, whatever the sensors show', () => {
  const goal = { kind: 'temperature', target: 'return' } as const
  expect(targetsOf(goal, { roomC: of(23, 22, 18) })).toEqual(targetsOf(goal))
})

test('heat is shared by area: each m² gets the same', () => {
  const { flowKgS, returnC } = targetsOf({ kind: 'energy', heatWM2: 40 })
  const heatWM2 = flowKgS.map(
    (flow, i) =>
      (flow * WATER_HEAT_CAPACITY * (50 - (returnC[i] ?? 0))) / (recordsOf().areaM2[i] ?? Number.NaN),
  )
  expectNear(
    heatWM2.map((heat) => Math.round(1000 * heat) / 1000),
    40,
    40,
    40,
  )
})

test('a flow goal shares the present flow by area, or gives each m² its flow', () => {
  expectNear(targetsOf({ kind: 'flow' }).flowKgS, 1, 2, 3)
  // 3 kg/(h·m²) for 1,000 m²: 3,000/3,600 kg/s.
  expectNear(targetsOf({ kind: 'flow', flowKgHM2: 3 }).flowKgS, 3000 / 3600, 6000 / 3600, 9000 / 3600)
})

test('targets stay between 30 % and twice the design flow, and a limited target is reported', () => {
  const min = targetsOf({ kind: 'flow', flowKgHM2: 0.5 })
  expectNear(min.flowKgS, 0.3, 0.6, 0.9)
  expect(min.limited.get(1)).toBe('min-flow')
  const max = targetsOf({ kind: 'flow', flowKgHM2: 9 })
  expectNear(max.flowKgS, 2, 4, 6)
  expect(max.limited.get(2)).toBe('max-flow')
})

test('a loop with a quarter of its design flow may get half of the usual minimum', () => {
  // 1.5 of 6 kg/s: a share of 0.25, half of 0.5.
  const flowKgS = of(0.3, 0.45, 0.75)
  expectNear(targetsOf({ kind: 'flow', flowKgHM2: 0.1 }, { flowKgS }).flowKgS, 0.15, 0.3, 0.45)
  expectNear(targetsOf({ kind: 'flow', flowKgHM2: 99 }, { flowKgS }).flowKgS, 2, 4, 6)
})

test('a loop with three times its design flow may get twice the usual maximum', () => {
  const flowKgS = of(3.6, 5.4, 9)
  expectNear(targetsOf({ kind: 'flow', flowKgHM2: 99 }, { flowKgS }).flowKgS, 4, 8, 12)
  expectNear(targetsOf({ kind: 'flow', flowKgHM2: 0.1 }, { flowKgS }).flowKgS, 0.3, 0.6, 0.9)
})

test('a fixed consumer keeps its flow, is not reported, and the others share the rest', () => {
  const isFixed = Uint8Array.of(1, 0, 0)
  const flow = targetsOf({ kind: 'flow' }, { isFixed })
  // 4.8 kg/s are left for 5,000 m².
  expectNear(flow.flowKgS, 1.2, 1.92, 2.88)
  const back = targetsOf({ kind: 'temperature', target: 'return' }, { isFixed })
  expect(back.flowKgS[0]).toBeCloseTo(1.2, 9)
  expect(sum(back.flowKgS)).toBeCloseTo(6, 4)
  expect(back.returnC[1]).toBeCloseTo(back.returnC[2] ?? 0, 3)
  expect(back.returnC[0]).toBeNaN()
  expect([...back.limited.keys()]).toEqual([])
})

test('a consumer limited beside a fixed one is reported', () => {
  const { limited } = targetsOf({ kind: 'flow', flowKgHM2: 9 }, { isFixed: Uint8Array.of(1, 0, 0) })
  expect([...limited.keys()]).toEqual([1, 2])
})

const slot = (changes: Partial<Extract<StepGoal, { kind: 'sequence' }>>): StepGoal => ({
  kind: 'sequence',
  share: of(1, 0.5, 0.25),
  roomC: unknown(),
  frostC: -10,
  ...changes,
})

test('a slot gives each consumer a share of its design flow, or of a flow for each m²', () => {
  expectNear(targetsOf(slot({})).flowKgS, 1, 1, 0.75)
  // 1.8 kg/(h·m²) is half of the design flow.
  expectNear(targetsOf(slot({ flowKgHM2: 1.8 })).flowKgS, 0.5, 0.5, 0.375)
})

test('a group that is shut down may get less than the usual minimum, except for a fixed consumer', () => {
  const share = of(0, 0.1, 1)
  const isFixed = Uint8Array.of(1, 0, 0)
  expectNear(targetsOf(slot({ share })).flowKgS, 0, 0.2, 3)
  expectNear(targetsOf(slot({ share }), { isFixed }).flowKgS, 1.2, 0.2, 3)
})

test('a slot with a room temperature gives the flow at which rooms are steady there', () => {
  const rooms = slot({ share: of(Number.NaN, 1, 1), roomC: of(19, Number.NaN, Number.NaN) })
  const { flowKgS, roomC } = targetsOf(rooms, { roomC: of(20, 20, 20) })
  expect(roomC[0]).toBeCloseTo(19, 3)
  expect(flowKgS[0]).toBeLessThan(1.2)
  expect(flowKgS[1]).toBe(2)
})

test('no room of a shut group falls below the frost protection', () => {
  const share = of(0, 1, 1)
  const { roomC } = targetsOf(slot({ share, frostC: 12 }), { roomC: of(20, 20, 20) })
  expect(roomC[0]).toBeCloseTo(12, 2)
})

test('a floor of rooms raises the target of its consumer, even above the usual largest flow', () => {
  const goal: StepGoal = { kind: 'temperature', target: 'return' }
  const free = targetsOf(goal).flowKgS
  expect(free[0]).toBeLessThan(1.1)
  const raised = targetsOf(goal, { minKgS: of(1.15, 0, 0) })
  expect(raised.flowKgS[0]).toBeCloseTo(1.15, 5)
  expect(sum(raised.flowKgS)).toBeCloseTo(sum(free), 5)
  expect(raised.limited.get(0)).toBe('min-flow')
  // The usual largest flow of the first is below 3 kg/s.
  expect(targetsOf(goal, { minKgS: of(3, 0, 0) }).flowKgS[0]).toBeCloseTo(3, 5)
})
