import { celsius, kilogramPerSecond, watt } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  effectiveness,
  exchangeHeat,
  exchangerForDesign,
  type HeatExchanger,
  primaryFlowFor,
} from './heat-exchanger.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
/** A station of 1 MW: 90/45 °C outside, 50/40 °C inside. */
const createStation = () =>
  exchangerForDesign(
    watt(1e6),
    { supply: celsius(90), back: celsius(45) },
    { supply: celsius(50), back: celsius(40) },
  )
const toInside = ({ secondaryFlow }: HeatExchanger) => ({ flow: secondaryFlow, inlet: celsius(40) })

it('needs 59.4 kW/K for 1 MW at 90/45 and 50/40 °C: log mean of 40 and 5 K is 16.83 K', () => {
  const station = createStation()
  // 35/ln 8 = 16.831
  expect(station.conductance).toBeCloseTo(59_413, -1)
  expect(station.primaryFlow).toBeCloseTo(5.3074, 3)
  expect(station.secondaryFlow).toBeCloseTo(23.884, 2)
})

it('has the effectiveness 0.5 at NTU 1 and equal flows, and 1 − e^−NTU if one side is infinite', () => {
  expect(effectiveness(1, 1)).toBe(0.5)
  expect(effectiveness(2, 0)).toBeCloseTo(1 - Math.exp(-2), 12)
  // (1 − e^−1)/(1 − 0.5·e^−1) at NTU 2, r = 0.5
  expect(effectiveness(2, 0.5)).toBeCloseTo(0.632121 / 0.81606, 5)
  expect(effectiveness(3, 1 - 1e-12)).toBeCloseTo(0.75, 9)
})

it('reproduces its design point', () => {
  const station = createStation()
  const inside = toInside(station)
  const { heat, primaryBack, secondarySupply } = exchangeHeat(
    station,
    { flow: station.primaryFlow, inlet: celsius(90) },
    inside,
  )
  expect(heat).toBeCloseTo(1e6, 3)
  expect(primaryBack).toBeCloseTo(45, 6)
  expect(secondarySupply).toBeCloseTo(50, 6)
})

it('finds the primary flow for a target supply temperature, and reports if the full flow does not suffice', () => {
  const station = createStation()
  const inside = toInside(station)
  const half = primaryFlowFor(station, celsius(90), inside, celsius(45), kilogramPerSecond(10))
  expect(half.kind).toBe('reached')
  expect(half.result.secondarySupply).toBeCloseTo(45, 9)
  // Less than half of the flow gives half of the heat, because it returns colder.
  expect(half.primaryFlow).toBeLessThan(station.primaryFlow / 2)
  const cold = primaryFlowFor(station, celsius(55), inside, celsius(50), kilogramPerSecond(6))
  expect(cold.kind).toBe('short')
  expect(cold.primaryFlow).toBe(6)
  const none = primaryFlowFor(station, celsius(90), inside, celsius(38), kilogramPerSecond(6))
  expect(none).toMatchObject({ kind: 'reached', primaryFlow: 0 })
})

it('gives no heat without flow', () => {
  const station = createStation()
  const inside = toInside(station)
  const still = exchangeHeat(station, { flow: kilogramPerSecond(0), inlet: celsius(90) }, inside)
  expect(still).toEqual({ heat: 0, primaryBack: 90, secondarySupply: 40 })
  const empty = exchangeHeat(
    station,
    { flow: station.primaryFlow, inlet: celsius(90) },
    { ...inside, flow: kilogramPerSecond(0) },
  )
  expect(empty).toEqual({ heat: 0, primaryBack: 90, secondarySupply: 40 })
})

it('conserves heat, has outlets between both inlets, and gives more heat with more primary flow', () => {
  const station = createStation()
  fc.assert(
    fc.property(number(0.01, 100), number(0.01, 100), number(41, 130), (outer, inner, primaryC) => {
      const secondary = { flow: kilogramPerSecond(inner), inlet: celsius(40) }
      const at = (flow: number) =>
        exchangeHeat(station, { flow: kilogramPerSecond(flow), inlet: celsius(primaryC) }, secondary)
      const { heat, primaryBack, secondarySupply } = at(outer)
      const given = outer * 4187 * (primaryC - primaryBack)
      const taken = inner * 4187 * (secondarySupply - 40)
      expect(Math.abs(given - heat) + Math.abs(taken - heat)).toBeLessThan(1e-6 * heat + 1e-3)
      expect(primaryBack).toBeGreaterThanOrEqual(40 - 1e-9)
      expect(secondarySupply).toBeLessThanOrEqual(primaryC + 1e-9)
      expect(at(outer * 1.5).heat).toBeGreaterThanOrEqual(heat * (1 - 1e-12))
    }),
  )
})

it('refuses a design if the primary side is not warmer at both ends', () => {
  const design = (supply: number, back: number) =>
    exchangerForDesign(
      watt(1e6),
      { supply: celsius(supply), back: celsius(back) },
      { supply: celsius(50), back: celsius(40) },
    )
  expect(() => design(50, 45)).toThrow('the primary side has to be warmer')
  expect(() => design(60, 40)).toThrow(RangeError)
  expect(design(51, 41).conductance).toBeCloseTo(1e6, 3)
})

it('has half of its heat resistance on each side; the resistance of a side falls with its flow to the power of 0.7', () => {
  const station = createStation()
  const ntuOf = (primary: number, secondary: number) => {
    const [outer, inner] = [primary * station.primaryFlow, secondary * station.secondaryFlow]
    const resistance = (primary ** -0.7 + secondary ** -0.7) / 2
    return station.conductance / resistance / (4187 * Math.min(outer, inner))
  }
  for (const [primary, secondary] of [
    [0.5, 1],
    [1, 0.3],
    [8, 1],
  ] as const) {
    const [outer, inner] = [primary * station.primaryFlow, secondary * station.secondaryFlow]
    const ratio = Math.min(outer, inner) / Math.max(outer, inner)
    const share = effectiveness(ntuOf(primary, secondary), ratio)
    const { heat } = exchangeHeat(
      station,
      { flow: kilogramPerSecond(outer), inlet: celsius(90) },
      { flow: kilogramPerSecond(inner), inlet: celsius(40) },
    )
    expect(heat / (share * 4187 * Math.min(outer, inner) * 50)).toBeCloseTo(1, 9)
  }
})

it('counts a flow above a million kg/s as a million', () => {
  const station = createStation()
  const [huge, max] = [kilogramPerSecond(1e9), 1e6 * 4187]
  const outside = exchangeHeat(station, { flow: huge, inlet: celsius(90) }, toInside(station))
  expect((90 - outside.primaryBack) * max).toBeCloseTo(outside.heat, -1)
  const inside = exchangeHeat(
    station,
    { flow: station.primaryFlow, inlet: celsius(90) },
    { flow: huge, inlet: celsius(40) },
  )
  expect((inside.secondarySupply - 40) * max).toBeCloseTo(inside.heat, -1)
})

it('needs no primary flow for a target at or below the secondary inlet, and the full flow for the highest possible target', () => {
  const station = createStation()
  const inside = toInside(station)
  const demand = (wished: number, max: number) =>
    primaryFlowFor(station, celsius(90), inside, celsius(wished), kilogramPerSecond(max))
  expect(demand(40, 6)).toEqual({
    kind: 'reached',
    primaryFlow: 0,
    result: { heat: 0, primaryBack: 90, secondarySupply: 40 },
  })
  expect(demand(50, 0)).toMatchObject({ kind: 'short', primaryFlow: 0 })
  const { result } = demand(60, 6)
  expect(demand(result.secondarySupply, 6)).toMatchObject({ kind: 'reached', primaryFlow: 6 })
  // The flow is found to 1e-12 of the full one: 50 °C is the design point.
  expect(demand(50, 6).primaryFlow / station.primaryFlow).toBeCloseTo(1, 10)
})
