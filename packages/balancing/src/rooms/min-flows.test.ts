import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
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

test('a coldest room may cool to 18.7 °C; a colder one, or one that objects, keeps its present flow', () => {
  const roomC = of(22, 21, 20, 21)
  const model = modelOf(roomC)
  const min = findMinFlows(
    model,
    of(1, 1, 1, 1),
    { roomC, coldestC: of(20.7, 18.2, 17, 21) },
    new Map([[3, 'colder']]),
  )
  expect([...min.subarray(1)]).toEqual([1, 1, 1])
  // 2 K less in all rooms of the first: 20 instead of 22 °C.
  expect(min[0]).toBeLessThan(1)
  expect(restAtFlow(model, 0, min[0] ?? 0)?.roomC).toBeCloseTo(20, 6)
  expect((WATER_HEAT_CAPACITY * 8 * 25) / 27).toBeCloseTo(
    (min[0] ?? 0) * WATER_HEAT_CAPACITY * (48 - (restAtFlow(model, 0, min[0] ?? 0)?.returnC ?? 0)),
    1,
  )
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
  const [near] = findMinFlows(model, of(1, 1), rooms, new Map(), 0.7)
  const [legal, second] = findMinFlows(model, of(1, 1), rooms, new Map(), 0)
  expect(near).toBe(findMinFlows(model, of(1, 1), rooms, new Map())[0])
  expect(restAtFlow(model, 0, near ?? 0)?.roomC).toBeCloseTo(20, 6)
  expect(restAtFlow(model, 0, legal ?? 0)?.roomC).toBeCloseTo(19.3, 6)
  expect(restAtFlow(model, 1, second ?? 0)?.roomC).toBeCloseTo(20.8, 6)
})
