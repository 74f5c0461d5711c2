import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  capacityPerMetre,
  createPipeCells,
  layeredLoss,
  mixTemperature,
  outletTemperature,
  stepPipe,
} from './pipe-heat.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

it('cools 1 kg/s from 60 °C over 1000 m at 0.4 W/(m·K) in 10 °C ground to 55.46 °C', () => {
  // exp(−400/4187) = 0.908888, times 50, plus 10
  expect(outletTemperature(celsius(60), celsius(10), 0.4, metre(1000), kilogramPerSecond(1))).toBeCloseTo(
    55.444,
    2,
  )
  expect(outletTemperature(celsius(60), celsius(10), 0.4, metre(1000), kilogramPerSecond(0))).toBe(10)
})

it('loses 0.199 W/(m·K) through 4.6 mm of PE and 31 mm of foam around 40.8 mm', () => {
  // ln(25/20.4)/0.35 + ln(56/25)/0.026 = 0.58093 + 31.0176; 2π over 31.5985 = 0.19884.
  const pe = { outerRadius: 0.025, conductivity: 0.35 }
  expect(layeredLoss(metre(0.0204), [pe, { outerRadius: 0.056, conductivity: 0.026 }])).toBeCloseTo(
    0.19884,
    4,
  )
  expect(() => layeredLoss(metre(0.03), [pe])).toThrow(RangeError)
})

it('mixes 3 kg/s of 40 °C with 1 kg/s of 60 °C to 45 °C, and leaves standing water as it is', () => {
  expect(mixTemperature([3, 1], [40, 60], 5)).toBe(45)
  expect(mixTemperature([0, 0], [40, 60], 5)).toBe(5)
})

it('counts the steel wall of DN50 (53.9 mm, wall 3.2 mm): 9.44 kJ of water and 2.16 kJ of steel per metre', () => {
  const all = capacityPerMetre(metre(0.0539), metre(0.0032), 988)
  // Water: 2.28175e-3 m² · 988 · 4187 = 9439; steel: π·0.0571·0.0032 = 5.7404e-4 m² · 3.768e6 = 2163.
  expect(all).toBeCloseTo(11_602, -1)
})

it('lets a warm front arrive after the retarded transport time', () => {
  const capacity = capacityPerMetre(metre(0.1), metre(0.004), 988)
  const cells = createPipeCells(metre(200), capacity, 0, 60, 40)
  const delayS = (capacity * 200) / (2 * 4187)
  let arrivedS = 0
  for (let second = 0; second < 4 * delayS; second += 5) {
    if (stepPipe(cells, kilogramPerSecond(2), 50, 10, 5) < 45) arrivedS = second
  }
  expect(arrivedS / delayS).toBeGreaterThan(0.9)
  expect(arrivedS / delayS).toBeLessThan(1.1)
})

it('settles at the analytic outlet temperature', () => {
  const cells = createPipeCells(metre(300), 20_000, 0.5, 60, 30)
  let out = 0
  for (let step = 0; step < 2000; step++) out = stepPipe(cells, kilogramPerSecond(0.5), 50, 10, 60)
  const exact = outletTemperature(celsius(50), celsius(10), 0.5, metre(300), kilogramPerSecond(0.5))
  expect(Math.abs(out - exact)).toBeLessThan(0.01)
})

it('closes the energy balance of every step and invents no temperature', () => {
  fc.assert(
    fc.property(
      number(0, 10),
      number(10, 90),
      number(0, 15),
      number(0.1, 1e5),
      (kgS, inletC, groundC, stepS) => {
        const cells = createPipeCells(metre(100), 15_000, 0.4, 8, 45)
        const flow = kilogramPerSecond(kgS)
        const out = stepPipe(cells, flow, inletC, groundC, stepS)
        let gained = 0
        let lost = 0
        for (const temperature of cells.temperatureC) {
          gained += cells.cellCapacity * (temperature - 45)
          lost += cells.cellLoss * (temperature - groundC) * stepS
          expect(temperature).toBeGreaterThanOrEqual(Math.min(45, inletC, groundC) - 1e-9)
          expect(temperature).toBeLessThanOrEqual(Math.max(45, inletC, groundC) + 1e-9)
        }
        const brought = flow * 4187 * (inletC - out) * stepS
        expect(Math.abs(brought - lost - gained)).toBeLessThanOrEqual(1e-6 * (Math.abs(brought) + lost + 1e6))
      },
    ),
  )
})
