import { celsius, kilogramPerSecond, watt } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  flowForHeat,
  heatGivenOff,
  logMeanDifference,
  radiatorForDesign,
  returnTemperature,
} from './radiator.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

it('has the log mean of 55 and 30 K at 41.24 K', () => {
  expect(logMeanDifference(55, 30)).toBeCloseTo(41.2444, 3)
  expect(logMeanDifference(30, 30)).toBe(30)
  expect(logMeanDifference(30, 0)).toBe(0)
})

it('reproduces its design point: 1 kW at 75/50/20 needs 9.55 g/s and returns at 50 °C', () => {
  const radiator = radiatorForDesign(watt(1000), celsius(75), celsius(50), celsius(20), 1.3)
  const flow = kilogramPerSecond(flowForHeat(watt(1000), 25))
  expect(flow).toBeCloseTo(0.009553, 6)
  expect(returnTemperature(radiator, flow, celsius(75), celsius(20))).toBeCloseTo(50, 6)
})

it('agrees with the closed form for n = 1: y = exp(−K/(ṁc))', () => {
  const flow = kilogramPerSecond(0.1)
  const back = returnTemperature({ coefficient: 418.7, exponent: 1 }, flow, celsius(60), celsius(20))
  expect(back).toBeCloseTo(20 + 40 * Math.exp(-1), 6)
})

it('closes the energy balance and stays between room and supply for any flow', () => {
  fc.assert(
    fc.property(
      number(10, 5000),
      number(1, 1.4),
      number(-5, 2),
      number(10, 90),
      number(5, 30),
      (coefficient, exponent, flowPower, supplyC, roomC) => {
        const flow = kilogramPerSecond(10 ** flowPower)
        const supply = celsius(supplyC)
        const room = celsius(roomC)
        const back = returnTemperature({ coefficient, exponent }, flow, supply, room)
        expect(back).toBeGreaterThanOrEqual(Math.min(supply, room))
        expect(back).toBeLessThanOrEqual(Math.max(supply, room))
        // Above ten transfer units the return differs from the room by rounding only, so no mean can be computed from it.
        if (coefficient * Math.abs(supply - room) ** (exponent - 1) > 10 * flow * 4187) return
        const sign = Math.sign(supply - room)
        const given =
          sign * coefficient * logMeanDifference(Math.abs(supply - room), sign * (back - room)) ** exponent
        const scale = flow * 4187 * Math.abs(supply - room)
        expect(Math.abs(heatGivenOff(flow, supply, back) - given)).toBeLessThanOrEqual(1e-3 * scale + 1e-9)
      },
    ),
  )
})

it('has a warmer return and gives more heat at a higher flow', () => {
  fc.assert(
    fc.property(number(0.001, 1), number(1.02, 3), (flow, factor) => {
      const radiator = { coefficient: 40, exponent: 1.3 }
      const supply = celsius(50)
      const room = celsius(20)
      const less = kilogramPerSecond(flow)
      const more = kilogramPerSecond(flow * factor)
      const backLess = returnTemperature(radiator, less, supply, room)
      const backMore = returnTemperature(radiator, more, supply, room)
      expect(backMore).toBeGreaterThan(backLess)
      expect(heatGivenOff(more, supply, backMore)).toBeGreaterThan(heatGivenOff(less, supply, backLess))
    }),
  )
})

it('returns room temperature without flow', () => {
  expect(
    returnTemperature({ coefficient: 40, exponent: 1.3 }, kilogramPerSecond(0), celsius(50), celsius(21)),
  ).toBe(21)
})

it('has the log mean of two differences in either order, 0 if one of them is not positive, and no noise if they are alike', () => {
  expect(logMeanDifference(30, 55)).toBeCloseTo(41.2444, 3)
  expect(logMeanDifference(30, 30 * (1 + 1e-13))).toBeCloseTo(30, 9)
  // Where the arithmetic mean takes over, both differ by the square of 1e-4 over 12.
  expect(logMeanDifference(30, 30 * (1 + 0.99e-4)) / logMeanDifference(30, 30 * (1 + 1.01e-4))).toBeCloseTo(
    1 - 1e-6,
    8,
  )
  expect(logMeanDifference(30, 20)).toBeCloseTo(10 / Math.log(1.5), 9)
  for (const [supplySide, returnSide] of [
    [0, 30],
    [-30, 20],
    [30, -20],
    [-30, -20],
  ] as const)
    expect(logMeanDifference(supplySide, returnSide)).toBe(0)
})

it('agrees with the closed form y = exp(−K/(ṁc)) from a thousandth to thirty transfer units', () => {
  for (const units of [1e-3, 0.1, 0.5, 1, 2, 5, 10, 20, 30]) {
    const coefficient = units * 0.1 * 4187
    const radiator = { coefficient, exponent: 1 }
    const back = returnTemperature(radiator, kilogramPerSecond(0.1), celsius(60), celsius(20))
    expect(back).toBeCloseTo(20 + 40 * Math.exp(-units), 6)
  }
})

it('gives the heat of its law at any return for n = 1.3, from a tiny flow to a huge one', () => {
  const radiator = { coefficient: 40, exponent: 1.3 }
  for (const outlet of [0.001, 0.01, 0.1, 1, 5, 15, 25, 29, 29.9]) {
    const heat = radiator.coefficient * logMeanDifference(30, outlet) ** 1.3
    const flow = kilogramPerSecond(flowForHeat(watt(heat), 30 - outlet))
    expect(returnTemperature(radiator, flow, celsius(50), celsius(20))).toBeCloseTo(20 + outlet, 6)
    // A supply colder than the room is the same with the opposite sign.
    expect(returnTemperature(radiator, flow, celsius(-10), celsius(20))).toBeCloseTo(20 - outlet, 6)
  }
})

it('cools its water to the room if it has endlessly many transfer units, and does not change water as warm as the room', () => {
  const radiator = { coefficient: 1e12, exponent: 1.3 }
  expect(returnTemperature(radiator, kilogramPerSecond(1e-9), celsius(50), celsius(20))).toBe(20)
  expect(returnTemperature(radiator, kilogramPerSecond(1), celsius(20), celsius(20))).toBe(20)
  expect(returnTemperature(radiator, kilogramPerSecond(-1), celsius(50), celsius(20))).toBe(20)
})
