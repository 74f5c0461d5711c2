import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { returnTemperature } from '@isotherm/thermal/households/radiator'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { restAtFlow, restAtHeat, restAtReturn, restAtRoom, thermalModelAt } from './thermal-model.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)

/** 1,200 m² at 30 W/m²: 36 kW at 48/40 °C, 20 °C in the rooms and −5 °C outside. */
const createModel = () =>
  thermalModelAt({
    outdoorC: -5,
    supplyC: of(48),
    returnC: of(40),
    flowKgS: of(36_000 / (4187 * 8)),
    roomC: of(20),
    exponent: of(1.3),
  })

test('a model of an operating point has its steady state there', () => {
  const model = createModel()
  const rest = restAtReturn(model, 0, 40)
  expect(rest?.roomC).toBeCloseTo(20, 6)
  expect(rest?.heatW).toBeCloseTo(36_000, 3)
  expect(model.lossWK[0]).toBeCloseTo(1440, 6)
})

test('more flow warms return and room as sensitivities with an arithmetic mean predict, within an eighth', () => {
  const model = createModel()
  // dlnQ/dT_r = n/(2Δ(1 + n(T_i − T_o)/Δ)) with Δ = 24 K, then 1/(1/θ + that) and (T_i − T_o)·that·dT_r, θ = 8 K.
  const flow = 36_000 / (4187 * 8)
  const rest = restAtFlow(model, 0, 1.01 * flow)
  const heatRise = 1.3 / (2 * 24 * (1 + (1.3 * 25) / 24))
  const returnRise = 1 / (1 / 8 + heatRise)
  const share = Math.log(1.01)
  const returnRatio = ((rest?.returnC ?? 0) - 40) / share / returnRise
  const roomRatio = ((rest?.roomC ?? 0) - 20) / share / (25 * heatRise * returnRise)
  for (const ratio of [returnRatio, roomRatio]) expect(Math.abs(ratio - 1)).toBeLessThan(0.125)
})

test('all ways to compute the same steady state agree, also with the emitter alone', () => {
  const model = createModel()
  fc.assert(
    fc.property(fc.double({ min: 26, max: 46, noNaN: true }), (returnC) => {
      const rest = restAtReturn(model, 0, returnC)
      if (rest === undefined) throw new Error(`no rest at ${returnC}`)
      expect(restAtHeat(model, 0, rest.heatW)?.returnC).toBeCloseTo(returnC, 5)
      expect(restAtRoom(model, 0, rest.roomC)?.returnC).toBeCloseTo(returnC, 5)
      expect(restAtFlow(model, 0, rest.flowKgS)?.returnC).toBeCloseTo(returnC, 5)
      const emitter = { coefficient: model.coefficient[0] ?? 0, exponent: 1.3 }
      const alone = returnTemperature(
        emitter,
        kilogramPerSecond(rest.flowKgS),
        celsius(48),
        celsius(rest.roomC),
      )
      expect(alone).toBeCloseTo(returnC, 5)
    }),
  )
})

test('a heat beyond the emitter, a return above the supply and an unknown consumer have no steady state', () => {
  const model = createModel()
  expect(restAtRoom(model, 0, 30)).toBeUndefined()
  expect(restAtReturn(model, 0, 48)).toBeUndefined()
  const unknown = { ...model, coefficient: of(Number.NaN) }
  expect(restAtReturn(unknown, 0, 40)).toBeUndefined()
  expect(restAtFlow(unknown, 0, 1)).toBeUndefined()
})

test('a return that frozen or swapped sensors show above the supply gives no model', () => {
  const wrong = thermalModelAt({
    outdoorC: -5,
    supplyC: of(40),
    returnC: of(48),
    flowKgS: of(1),
    roomC: of(20),
    exponent: of(1.3),
  })
  expect(wrong.coefficient[0]).toBeNaN()
})

test.each([
  ['without flow', { flowKgS: of(0) }],
  ['with a return as cold as the room', { returnC: of(20) }],
  ['with a supply as cold as its return', { supplyC: of(40) }],
  ['with a room as cold as outside', { outdoorC: 20 }],
  ['without a room temperature', { roomC: of(Number.NaN) }],
])('a consumer %s has no model', (_, change) => {
  const readings = {
    outdoorC: -5,
    supplyC: of(48),
    returnC: of(40),
    flowKgS: of(1),
    roomC: of(20),
    exponent: of(1.3),
  }
  const { coefficient, lossWK } = thermalModelAt({ ...readings, ...change })
  expect([coefficient[0], lossWK[0]]).toEqual([Number.NaN, Number.NaN])
  expect(thermalModelAt(readings).coefficient[0]).toBeGreaterThan(0)
})

test('K is the heat over LMTD^n, and UA the heat over the difference to outside', () => {
  const { coefficient, lossWK } = thermalModelAt({
    outdoorC: -5,
    supplyC: of(50),
    returnC: of(35),
    flowKgS: of(2),
    roomC: of(20),
    exponent: of(1.2),
  })
  // 2·4187·15 W; LMTD of 30 and 15 K is 15/ln 2.
  expect(coefficient[0]).toBeCloseTo(125_610 / (15 / Math.LN2) ** 1.2, 9)
  expect(lossWK[0]).toBeCloseTo(125_610 / 25, 9)
})

test.each([
  ['coefficient', 0],
  ['exponent', 0],
  ['lossWK', 0],
  ['supplyC', -5],
] as const)('a consumer whose %s is %d has no steady state', (name, value) => {
  const model = { ...createModel(), [name]: of(value) }
  expect(restAtReturn(model, 0, -5.1)).toBeUndefined()
  expect(restAtReturn(model, 0, 30)).toBeUndefined()
  expect(restAtHeat(model, 0, 1_000)).toBeUndefined()
  expect(restAtFlow(model, 0, 1)).toBeUndefined()
})

test('no heat, no flow and a return as cold as outside have no steady state', () => {
  const model = createModel()
  expect(restAtHeat(model, 0, 0)).toBeUndefined()
  expect(restAtFlow(model, 0, 0)).toBeUndefined()
  expect(restAtFlow(model, 0, -1)).toBeUndefined()
  expect(restAtReturn(model, 0, -5)).toBeUndefined()
  expect(restAtReturn(model, 0, -4)).toMatchObject({ returnC: -4 })
})

test('an emitter that needs all of its supply temperature gives that heat only with endless flow', () => {
  const model = createModel()
  const { coefficient, lossWK } = model
  // K·(48 − T_i)^1.3 = UA·(T_i + 5) has its solution a little above the room of a large flow.
  const rest = restAtFlow(model, 0, 1e4)
  const room = rest?.roomC ?? Number.NaN
  expect((coefficient[0] ?? 0) * (48 - room) ** 1.3).toBeCloseTo((lossWK[0] ?? 0) * (room + 5), -2)
  expect(restAtRoom(model, 0, room - 0.01)?.flowKgS).toBeGreaterThan(1)
  expect(restAtRoom(model, 0, room + 0.01)).toBeUndefined()
})

test('the UA of a room that still cools is not believed, and its K is', () => {
  // Half of the heat of the room at rest beside it: after a move it cools towards 7.5 °C, and is at 19 °C.
  const readings = {
    outdoorC: -5,
    supplyC: of(48, 48),
    returnC: of(40, 36),
    flowKgS: of(36_000 / (4187 * 8), 18_000 / (4187 * 12)),
    roomC: of(20, 19),
    exponent: of(1.3, 1.3),
  }
  const believed = thermalModelAt(readings)
  // As if it were at rest, 18 kW would hold 19 °C.
  expect(restAtFlow(believed, 1, readings.flowKgS[1] ?? 0)?.roomC).toBeCloseTo(19, 3)
  const { coefficient, lossWK } = thermalModelAt({ ...readings, roomsMove: Uint8Array.of(0, 1) })
  expect(Array.from(lossWK)).toEqual([believed.lossWK[0], Number.NaN])
  expect(coefficient).toEqual(believed.coefficient)
})
