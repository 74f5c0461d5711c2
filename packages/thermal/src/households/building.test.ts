import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Building,
  computeDecay,
  steadyLoss,
  steadyState,
  stepBuilding,
  timeConstants,
} from './building.ts'

/** A flat of 90 m²: 60 W/K by windows and air, walls 150 W/K outside and 450 W/K inside. */
const flat: Building = {
  airToOutside: 60,
  massToOutside: 150,
  airToMass: 450,
  airCapacity: 1.8e6,
  massCapacity: 4.5e7,
}

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const anyBuilding: fc.Arbitrary<Building> = fc.record({
  airToOutside: number(1, 500),
  massToOutside: number(1, 500),
  airToMass: number(1, 2000),
  airCapacity: number(1e5, 1e7),
  massCapacity: number(1e6, 1e9),
})

it('loses 60 + 450·150/600 = 172.5 W/K, so 4312.5 W hold 20 °C at −5 °C outside', () => {
  expect(steadyLoss(flat)).toBe(172.5)
  const steady = steadyState(flat, { outsideC: -5, airHeatW: 4312.5, massHeatW: 0 })
  expect(steady.airC).toBeCloseTo(20, 9)
  // The wall temperature is in between: −5 + 25·450/600.
  expect(steady.massC).toBeCloseTo(13.75, 9)
})

it('cools towards outside when heating stops, with a slow time constant of about 76 h', () => {
  const state = { airC: 20, massC: 13.75 }
  const decay = computeDecay(flat, 3600)
  const load = { outsideC: -5, airHeatW: 0, massHeatW: 0 }
  for (let hour = 0; hour < 24; hour++) stepBuilding(flat, decay, load, state)
  const after24 = state.massC + 5
  for (let hour = 0; hour < 24; hour++) stepBuilding(flat, decay, load, state)
  const tauH = 24 / Math.log(after24 / (state.massC + 5))
  // τ = C_m/(mo + am·ao/(am+ao)) = 4.5e7/(150 + 450·60/510) = 221 742 s = 61.6 h, plus the air's own share.
  expect(tauH).toBeGreaterThan(61.6)
  expect(tauH).toBeLessThan(66)
  expect(timeConstants(flat).slowS / 3600).toBeCloseTo(tauH, 6)
})

it('cools the air within the hour: 1.8e6 J/K over 510 W/K, and a little of the wall', () => {
  expect(timeConstants(flat).fastS).toBeGreaterThan(3300)
  expect(timeConstants(flat).fastS).toBeLessThan(1.8e6 / 510)
})

it('does not change in its steady state for a step of any length', () => {
  fc.assert(
    fc.property(anyBuilding, number(0, 1e7), number(-30, 15), number(0, 1e4), (building, step, out, heat) => {
      const load = { outsideC: out, airHeatW: heat, massHeatW: heat / 5 }
      const state = steadyState(building, load)
      const before = { ...state }
      stepBuilding(building, computeDecay(building, step), load, state)
      expect(state.airC).toBeCloseTo(before.airC, 6)
      expect(state.massC).toBeCloseTo(before.massC, 6)
    }),
  )
})

it('gives the same result in one long step as in many short ones', () => {
  fc.assert(
    fc.property(anyBuilding, number(60, 20_000), number(-30, 15), (building, step, out) => {
      const load = { outsideC: out, airHeatW: 2000, massHeatW: 0 }
      const once = { airC: 22, massC: 15 }
      stepBuilding(building, computeDecay(building, step), load, once)
      const often = { airC: 22, massC: 15 }
      const decay = computeDecay(building, step / 16)
      for (let part = 0; part < 16; part++) stepBuilding(building, decay, load, often)
      expect(often.airC).toBeCloseTo(once.airC, 6)
      expect(often.massC).toBeCloseTo(once.massC, 6)
    }),
  )
})

it('closes the energy balance: heat in minus losses equals the gain of both stores', () => {
  const state = { airC: 18, massC: 12 }
  const load = { outsideC: -5, airHeatW: 3000, massHeatW: 500 }
  const decay = computeDecay(flat, 1)
  let lost = 0
  const start = { ...state }
  for (let second = 0; second < 3600; second++) {
    const before = { ...state }
    stepBuilding(flat, decay, load, state)
    const meanAir = (before.airC + state.airC) / 2
    const meanMass = (before.massC + state.massC) / 2
    lost += flat.airToOutside * (meanAir + 5) + flat.massToOutside * (meanMass + 5)
  }
  const gained =
    flat.airCapacity * (state.airC - start.airC) + flat.massCapacity * (state.massC - start.massC)
  expect(gained / (3600 * 3500 - lost)).toBeCloseTo(1, 5)
})

it('stays between its start and the outdoor temperature while it only cools', () => {
  fc.assert(
    fc.property(anyBuilding, number(1, 1e6), number(0, 25), number(0, 25), (building, step, airC, massC) => {
      const state = { airC, massC }
      stepBuilding(
        building,
        computeDecay(building, step),
        { outsideC: -10, airHeatW: 0, massHeatW: 0 },
        state,
      )
      expect(Math.min(state.airC, state.massC)).toBeGreaterThanOrEqual(-10 - 1e-9)
      expect(Math.max(state.airC, state.massC)).toBeLessThanOrEqual(Math.max(airC, massC) + 1e-9)
    }),
  )
})

it('cools air and mass each by itself if no heat passes between them, also if both have the same time constant', () => {
  // 60 W/K and 1.8e6 J/K: 30,000 s each.
  const apart: Building = {
    airToOutside: 60,
    massToOutside: 60,
    airToMass: 0,
    airCapacity: 1.8e6,
    massCapacity: 1.8e6,
  }
  const { airToAir, massToAir, airToMass, massToMass } = computeDecay(apart, 30_000)
  expect([airToAir, massToMass].map((share) => share * Math.E)).toEqual([
    expect.closeTo(1, 12),
    expect.closeTo(1, 12),
  ])
  expect([massToAir, airToMass]).toEqual([0, 0])
  expect(timeConstants(apart).slowS).toBeCloseTo(30_000, 6)
  const uneven = computeDecay({ ...apart, massCapacity: 3.6e6 }, 30_000)
  expect(uneven.airToAir).toBeCloseTo(Math.exp(-1), 12)
  expect(uneven.massToMass).toBeCloseTo(Math.exp(-0.5), 12)
})

it('warms its mass by heat into the mass, and its air through it', () => {
  const load = { outsideC: 0, airHeatW: 0, massHeatW: 6_000 }
  const { airC, massC } = steadyState(flat, load)
  // 6,000 W over 150 + 450·60/510 = 202.9 W/K; the air between walls and outside: 450/510 of it.
  expect(massC).toBeCloseTo(6_000 / (150 + (450 * 60) / 510), 9)
  expect(airC / massC).toBeCloseTo(450 / 510, 12)
})
