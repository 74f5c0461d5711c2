import { expect, test } from 'vitest'
import { findMinFlows } from './min-flows.ts'
import { restAtFlow, thermalModelAt } from './thermal-model.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)

/** Four buildings with 1 kg/s that cools from 48 to 40 °C, with these mean rooms, °C. */
const modelOf = (roomC: Float64Array) =>
  thermalModelAt({
    outdoorC: -5,
    supplyC: of(48, 48, 48, 48),
    returnC: of(40, 40, 40, 40),
    flowKgS: of(1, 1, 1, 1),
    exponent: of(1.3, 1.3, 1.3, 1.3),
    roomC,
  })

test('a coldest room may cool to 18.7 °C in a cold front; a colder one, or one that objects, keeps its present flow', () => {
  const roomC = of(22, 21, 20, 21)
  const model = modelOf(roomC)
  const min = findMinFlows(
    model,
    of(1, 1, 1, 1),
    { roomC, coldestC: of(20.7, 18.2, 17, 21) },
    new Map([[3, 'colder']]),
  )
  expect([...min.subarray(1)]).toEqual([1, 1, 1])
  // 2 K less in all rooms of the first in weather 8 K colder, whose difference to outside is 35 instead of 27 K.
  expect(min[0]).toBeLessThan(1)
  expect(restAtFlow(model, 0, min[0] ?? 0)?.roomC).toBeCloseTo(22 - (2 * 27) / 35, 6)
})

test('a building without a room sensor has no minimum, and none has more than its present flow', () => {
  const roomC = of(Number.NaN, 25, 20, 20)
  const min = findMinFlows(
    modelOf(of(20, 25, 20, 20)),
    of(1, 1, 1, 1),
    { roomC, coldestC: of(Number.NaN, 24, 18.7, 18.8) },
    new Map(),
  )
  expect(min[0]).toBe(0)
  expect(min[1]).toBeGreaterThan(0)
  expect(min[2]).toBeCloseTo(1, 6)
  expect(min[3]).toBeGreaterThan(0.9)
  expect(Math.max(...min)).toBeLessThanOrEqual(1)
})

test('the margin is the distance of the coldest room from 18 °C', () => {
  const roomC = of(22, 21)
  const model = modelOf(of(22, 21, 20, 21))
  const rooms = { roomC, coldestC: of(20.7, 18.2) }
  const [near] = findMinFlows(model, of(1, 1), rooms, new Map(), { marginK: 0.7 })
  const [legal, second] = findMinFlows(model, of(1, 1), rooms, new Map(), { marginK: 0 })
  expect(near).toBe(findMinFlows(model, of(1, 1), rooms, new Map())[0])
  expect(restAtFlow(model, 0, near ?? 0)?.roomC).toBeCloseTo(22 - (2 * 27) / 35, 6)
  expect(restAtFlow(model, 0, legal ?? 0)?.roomC).toBeCloseTo(22 - (2.7 * 27) / 35, 6)
  expect(restAtFlow(model, 1, second ?? 0)?.roomC).toBeCloseTo(21 - (0.2 * 26) / 34, 6)
})

test('where a plan cools warm rooms on purpose, estimated rooms count and so do those colder than the sensor', () => {
  const estimatedC = of(21, 21, 21, 21)
  const model = modelOf(estimatedC)
  const rooms = { roomC: of(Number.NaN, 23, 21, 19), coldestC: of(Number.NaN, 22.5, 19.2, 19) }
  const min = findMinFlows(model, of(1, 1, 1, 1), rooms, new Map(), { estimatedC })
  const roomAt = (i: number, flow: number): number => restAtFlow(model, i, flow)?.roomC ?? 0
  // A kelvin below the mean of 21 °C: 1.3 K to 18.7 °C, in a cold front 1.3·26/34 now; the valve may close 25 % further.
  const floor = (i: number): number => (min[i] ?? 0) ** 1.25
  expect(roomAt(0, floor(0))).toBeCloseTo(21 - (1.3 * 26) / 34, 6)
  expect(min[1]).toBe(min[0])
  expect(roomAt(2, floor(2))).toBeCloseTo(21 - (0.5 * 26) / 34, 6)
  expect(roomAt(3, floor(3))).toBeCloseTo(21 - (0.3 * 26) / 34, 6)
})

test('a consumer without flow has no minimum, for a target of rooms too', () => {
  const estimatedC = of(21, 21, 21, 21)
  const rooms = { roomC: of(21, 21, 21, 21), coldestC: of(21, 21, 21, 21) }
  const min = findMinFlows(modelOf(estimatedC), of(0, 1, 1, 1), rooms, new Map(), { estimatedC })
  expect(min[0]).toBe(0)
  expect([...min].every(Number.isFinite)).toBe(true)
})
