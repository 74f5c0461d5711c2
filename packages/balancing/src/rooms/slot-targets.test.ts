import { expect, test } from 'vitest'
import { filled } from '../loop/sample-loop.testkit.ts'
import { computeSlotTargets } from './slot-targets.ts'
import { restAtFlow, restAtRoom, type ThermalModel } from './thermal-model.ts'

const model: ThermalModel = {
  outdoorC: -5,
  supplyC: filled(4, 45),
  coefficient: filled(4, 400),
  exponent: filled(4, 1.3),
  lossWK: filled(4, 800),
}
const of = (...values: readonly number[]): Float64Array => Float64Array.from(values)
const bounds = { minKgS: filled(4, 0), maxKgS: filled(4, 2) }
const rooms = filled(4, Number.NaN)
const aim = (share: readonly number[], roomC = rooms, given = model, frostC = 5, nowKgS = filled(4, 1)) =>
  computeSlotTargets(
    given,
    { share: Float64Array.from(share), roomC, fullKgS: filled(4, 1), nowKgS, frostC },
    bounds,
  )

test('a share is one of the full flow, within its bounds', () => {
  const { flowKgS, limited } = aim([1, 0.8, 1.5, 3])
  expect([...flowKgS]).toEqual([1, 0.8, 1.5, 2])
  expect([...limited]).toEqual([[3, 'max-flow']])
})

test('a room temperature becomes the flow with which the room is steady at it', () => {
  const wanted = Float64Array.of(20, 14, Number.NaN, Number.NaN)
  const { flowKgS, roomC } = aim([Number.NaN, Number.NaN, 1, 1], wanted)
  expect(roomC[0]).toBeCloseTo(20, 6)
  expect(roomC[1]).toBeCloseTo(14, 6)
  expect(restAtFlow(model, 0, flowKgS[0] ?? 0)?.roomC).toBeCloseTo(20, 6)
  expect(flowKgS[1]).toBeLessThan(flowKgS[0] ?? 0)
})

test('a group that is shut down keeps enough flow against frost, and none in mild weather', () => {
  const { flowKgS, roomC, limited } = aim([0, 0, 1, 1], rooms, model, 8)
  expect(roomC[0]).toBeCloseTo(8, 6)
  expect(flowKgS[0]).toBeGreaterThan(0)
  expect(limited.get(0)).toBe('min-flow')
  expect(aim([0, 0, 1, 1], rooms, { ...model, outdoorC: 12 }).flowKgS[0]).toBe(0)
})

test('a room that the emitters cannot heat gets the maximum flow', () => {
  const { flowKgS, limited } = aim([Number.NaN, 1, 1, 1], filled(4, 44))
  expect(flowKgS[0]).toBe(2)
  expect(limited.get(0)).toBe('emitter-too-small')
})

test('an unknown consumer has rooms at 20 °C with its full flow, and is protected from frost', () => {
  const unknown = { ...model, coefficient: filled(4, Number.NaN), supplyC: filled(4, Number.NaN) }
  const wanted = Float64Array.of(20, 14, Number.NaN, Number.NaN)
  const { flowKgS, limited, roomC } = aim([Number.NaN, Number.NaN, 0, 0.8], wanted, unknown, 8)
  expect(flowKgS[0]).toBeCloseTo(1, 6)
  expect(flowKgS[1]).toBeLessThan(0.7)
  expect(flowKgS[2]).toBeGreaterThan(0.05)
  expect(flowKgS[2]).toBeLessThan(flowKgS[1] ?? 0)
  expect(flowKgS[3]).toBe(0.8)
  expect([...limited]).toEqual([
    [0, 'unknown'],
    [1, 'unknown'],
    [2, 'min-flow'],
  ])
  expect([...roomC].every(Number.isNaN)).toBe(true)
})

test('rooms that are still warm after a setback do not count as well insulated: morning and frost get enough heat', () => {
  const wanted = filled(4, 21)
  const all = filled(4, Number.NaN)
  const fair = aim([...all], wanted)
  // A third of the heat, and rooms that have hardly cooled yet.
  const lossWK = Float64Array.of(300, 800, 800, 800)
  const nowKgS = Float64Array.of(0.2, 1, 1, 1)
  const lowered = aim([...all], wanted, { ...model, lossWK }, 5, nowKgS)
  expect(lowered.flowKgS[0]).toBeCloseTo(fair.flowKgS[0] ?? 0, 6)
  const off = [0, 1, 1, 1]
  const frost = aim(off, rooms, model, 12)
  expect(aim(off, rooms, { ...model, lossWK }, 12, nowKgS).flowKgS[0]).toBeCloseTo(frost.flowKgS[0] ?? 0, 6)
  const nobody = aim(off, rooms, { ...model, lossWK: filled(4, 10) }, 12, filled(4, 0.2))
  expect(nobody.flowKgS[0]).toBeGreaterThan(0.1)
})

test('frost takes the full flow if the emitter cannot hold that temperature, and the minimum flow stays below it', () => {
  const { flowKgS, limited } = aim([0.2, 0.2, 1, 1], rooms, model, 44)
  expect([...flowKgS.subarray(0, 2)]).toEqual([1, 1])
  expect(limited.get(0)).toBe('min-flow')
  const min = computeSlotTargets(
    { ...model, outdoorC: 12 },
    { share: of(0.1, 0.4, 1, 1), roomC: rooms, fullKgS: filled(4, 1), nowKgS: filled(4, 1), frostC: 5 },
    { minKgS: filled(4, 0.3), maxKgS: filled(4, 2) },
  )
  expect([...min.flowKgS]).toEqual([0.3, 0.4, 1, 1])
  expect([...min.limited]).toEqual([[0, 'min-flow']])
  expect(min.common).toBeNaN()
})

test('a room as cold as outside needs no flow', () => {
  const wanted = of(-5, -4.9, Number.NaN, Number.NaN)
  const { flowKgS } = aim([Number.NaN, Number.NaN, 1, 1], wanted, model, -20)
  expect(flowKgS[0]).toBe(0)
  expect(flowKgS[1]).toBeGreaterThan(0)
})

/** Flow that holds a room, kg/s, of a consumer whose 2 kg/s hold 20 °C with a drop of 10 K·(20 − T_o)/30. */
function nominalFlow(roomC: number, outdoorC: number, supplyC: number, exponent: number): number {
  const drop = (10 * (20 - outdoorC)) / 30
  const heat = 2 * 4187 * drop
  const [inlet, outlet] = [supplyC - 20, supplyC - 20 - drop]
  const coefficient = heat / ((inlet - outlet) / Math.log(inlet / outlet)) ** exponent
  const own = {
    outdoorC,
    supplyC: of(supplyC),
    coefficient: of(coefficient),
    exponent: of(exponent),
    lossWK: of(heat / (20 - outdoorC)),
  }
  return restAtRoom(own, 0, roomC)?.flowKgS ?? Number.NaN
}

test.each([
  ['nothing', { supplyC: filled(4, Number.NaN), exponent: filled(4, Number.NaN) }, 45, 1.3],
  ['only the supply', { supplyC: filled(4, 50), exponent: filled(4, Number.NaN) }, 50, 1.3],
  ['only the exponent', { supplyC: filled(4, Number.NaN), exponent: filled(4, 1.1) }, 45, 1.1],
])('a consumer of which %s is known has the usual emitter and envelope', (_, change, supplyC, exponent) => {
  for (const outdoorC of [-10, 0]) {
    const unknown = { ...model, ...change, outdoorC, coefficient: filled(4, Number.NaN) }
    const { flowKgS } = computeSlotTargets(
      unknown,
      {
        share: filled(4, Number.NaN),
        roomC: of(20, 18, 14, 21),
        fullKgS: filled(4, 2),
        nowKgS: filled(4, 2),
        frostC: -20,
      },
      { minKgS: filled(4, 0), maxKgS: filled(4, 9) },
    )
    for (const [i, roomC] of [20, 18, 14, 21].entries())
      expect(flowKgS[i]).toBeCloseTo(nominalFlow(roomC, outdoorC, supplyC, exponent), 6)
    expect(flowKgS[0]).toBeCloseTo(2, 6)
  }
})

test('a supply too cold for the usual emitter gives an unknown consumer the maximum flow', () => {
  const unknown = { ...model, supplyC: filled(4, 28), coefficient: filled(4, Number.NaN) }
  const { flowKgS, limited } = aim([...rooms], filled(4, 20), unknown)
  expect([...flowKgS]).toEqual([2, 2, 2, 2])
  expect(limited.get(0)).toBe('unknown')
})

test('a consumer below 60 % of its full flow loses at least as much as the others, relative to its full flow', () => {
  const wanted = filled(4, 20)
  const flowWith = (nowKgS: number, lossWK: number) =>
    computeSlotTargets(
      { ...model, coefficient: of(800, 400, 400, 400), lossWK: of(lossWK, 800, 800, 800) },
      {
        share: filled(4, Number.NaN),
        roomC: wanted,
        fullKgS: of(2, 1, 1, 1),
        nowKgS: of(nowKgS, 1, 1, 1),
        frostC: 5,
      },
      { minKgS: filled(4, 0), maxKgS: filled(4, 9) },
    ).flowKgS[0] ?? Number.NaN
  // The others lose 800 W/K for each kg/s: 1,600 W/K for 2 kg/s.
  expect(flowWith(1.19, 500)).toBeCloseTo(flowWith(2, 1_600), 6)
  expect(flowWith(1.2, 500)).toBeCloseTo(flowWith(2, 500), 6)
  expect(flowWith(1.2, 500)).toBeLessThan(0.9 * flowWith(2, 1_600))
  // One that loses more than the others does not change.
  expect(flowWith(1.19, 1_700)).toBeCloseTo(flowWith(2, 1_700), 6)
})

test('if every consumer was set back, the usual envelope is that of 10 K for 30 K: 1,395.7 W/K for each kg/s', () => {
  const flowWith = (nowKgS: number, lossWK: number) =>
    aim([...rooms], filled(4, 15), { ...model, lossWK: filled(4, lossWK) }, 5, filled(4, nowKgS))
      .flowKgS[0] ?? Number.NaN
  expect(flowWith(0.5, 700)).toBeCloseTo(flowWith(1, 41_870 / 30), 6)
  expect(flowWith(0.5, 1_500)).toBeCloseTo(flowWith(1, 1_500), 6)
})
