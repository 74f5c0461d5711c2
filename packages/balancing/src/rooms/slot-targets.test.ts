import { expect, test } from 'vitest'
import { filled } from '../loop/sample-loop.testkit.ts'
import { computeSlotTargets } from './slot-targets.ts'
import { restAtFlow, type ThermalModel } from './thermal-model.ts'

const model: ThermalModel = {
  outdoorC: -5,
  supplyC: filled(4, 45),
  coefficient: filled(4, 400),
  exponent: filled(4, 1.3),
  lossWK: filled(4, 800),
}
const bounds = { leastKgS: filled(4, 0), mostKgS: filled(4, 2) }
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
  expect([...limited]).toEqual([[3, 'most-flow']])
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
  expect(limited.get(0)).toBe('least-flow')
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
    [2, 'least-flow'],
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
