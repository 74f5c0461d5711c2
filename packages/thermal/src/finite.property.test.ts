import { celsius, kilogramPerSecond, metre, watt } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { returnTemperature } from './households/radiator.ts'
import { outletTemperature } from './pipes/pipe-heat.ts'
import { exchangeHeat, exchangerForDesign, primaryFlowFor } from './station/heat-exchanger.ts'
import { curvePoint } from './station/weather-compensation.ts'

/** Any finite number of that sign; temperatures from absolute zero to hotter than any furnace. */
const positive = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
const temperature = fc.double({ min: -273.15, max: 1e6, noNaN: true })
const exponent = fc.double({ min: 1, max: 2, noNaN: true })
const station = exchangerForDesign(
  watt(1e6),
  { supply: celsius(90), back: celsius(45) },
  { supply: celsius(50), back: celsius(40) },
)

it('computes a finite return for any emitter, flow and temperature', () => {
  fc.assert(
    fc.property(
      positive,
      exponent,
      positive,
      temperature,
      temperature,
      (coefficient, n, flow, supply, room) => {
        const emitter = { coefficient, exponent: n }
        const back = returnTemperature(emitter, kilogramPerSecond(flow), celsius(supply), celsius(room))
        expect(back).toBeGreaterThanOrEqual(Math.min(supply, room) - 1e-6)
        expect(back).toBeLessThanOrEqual(Math.max(supply, room) + 1e-6)
      },
    ),
    { numRuns: 500 },
  )
})

it('computes a finite outlet temperature for any pipe', () => {
  fc.assert(
    fc.property(
      positive,
      positive,
      positive,
      temperature,
      temperature,
      (loss, length, flow, inletC, groundC) => {
        const flowing = kilogramPerSecond(flow)
        const out = outletTemperature(celsius(inletC), celsius(groundC), loss, metre(length), flowing)
        expect(Number.isFinite(out)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

it('computes finite outlets of an exchanger, and a finite primary flow for any target', () => {
  fc.assert(
    fc.property(
      positive,
      positive,
      temperature,
      temperature,
      temperature,
      (outer, inner, hot, cold, wished) => {
        const secondary = { flow: kilogramPerSecond(inner), inlet: celsius(cold) }
        const most = kilogramPerSecond(outer)
        const { heat, primaryBack, secondarySupply } = exchangeHeat(
          station,
          { flow: most, inlet: celsius(hot) },
          secondary,
        )
        expect([heat, primaryBack, secondarySupply].every(Number.isFinite)).toBe(true)
        const demand = primaryFlowFor(station, celsius(hot), secondary, celsius(wished), most)
        expect(demand.primaryFlow).toBeGreaterThanOrEqual(0)
        expect(demand.primaryFlow).toBeLessThanOrEqual(outer)
      },
    ),
    { numRuns: 500 },
  )
})

it('computes a finite point of a heating curve in any weather', () => {
  const curve = {
    room: celsius(20),
    designOutdoor: celsius(-10),
    designSupply: celsius(50),
    designReturn: celsius(40),
    exponent: 0.3,
  }
  fc.assert(
    fc.property(temperature, (outdoor) => {
      const { supply, back } = curvePoint(curve, celsius(outdoor))
      expect(Number.isFinite(supply) && Number.isFinite(back)).toBe(true)
    }),
  )
  expect(() => curvePoint({ ...curve, designOutdoor: celsius(20) }, celsius(0))).toThrow(RangeError)
  expect(() => curvePoint(curve, celsius(0), 0)).toThrow(RangeError)
})
