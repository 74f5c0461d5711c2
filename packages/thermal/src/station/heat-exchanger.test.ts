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

it('finds the primary flow for a target supply, and reports when the full flow is not enough', () => {
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

it('conserves heat, never crosses the other inlet, and gives more with more primary flow', () => {
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
