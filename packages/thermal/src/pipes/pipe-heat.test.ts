import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { capacityPerMetre, layeredLoss, mixTemperature, outletTemperature } from './pipe-heat.ts'

it('cools 1 kg/s from 60 °C over 1000 m at 0.4 W/(m·K) in 10 °C ground to 55.44 °C', () => {
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

it('mixes 3 kg/s of 40 °C with 1 kg/s of 60 °C to 45 °C, and does not change water without flow', () => {
  expect(mixTemperature([3, 1], [40, 60], 5)).toBe(45)
  expect(mixTemperature([0, 0], [40, 60], 5)).toBe(5)
})

it('counts the steel wall of DN50 (53.9 mm, wall 3.2 mm): 9.44 kJ of water and 2.16 kJ of steel per metre', () => {
  const all = capacityPerMetre(metre(0.0539), metre(0.0032), 988)
  // Water: 2.28175e-3 m² · 988 · 4187 = 9439; steel: π·0.0571·0.0032 = 5.7404e-4 m² · 3.768e6 = 2163.
  expect(all).toBeCloseTo(11_602, -1)
})

it('returns the ground temperature if water runs backwards, and counts more than a million kg/s as a million', () => {
  const outlet = (flow: number) =>
    outletTemperature(celsius(60), celsius(10), 4187, metre(1e6), kilogramPerSecond(flow))
  expect(outlet(-1)).toBe(10)
  // U'L/(ṁc) = 4187e6/(1e6·4187) = 1
  expect(outlet(1e9)).toBeCloseTo(10 + 50 / Math.E, 9)
})

it('refuses a layer without thickness or without conductivity', () => {
  expect(() => layeredLoss(metre(0.025), [{ outerRadius: 0.025, conductivity: 0.03 }])).toThrow(
    'a layer from 0.025 to 0.025 m of 0.03 W/(m·K)',
  )
  expect(() => layeredLoss(metre(0.02), [{ outerRadius: 0.025, conductivity: 0 }])).toThrow(RangeError)
})
