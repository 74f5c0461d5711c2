import { expect, test } from 'vitest'
import {
  cubicMetrePerHour,
  kilogramPerSecond,
  kilowattHour,
  openingPercent,
  openingRatio,
  toGigajoule,
  toMassFlow,
  toPercent,
  toRatio,
  toVolumeFlow,
  toYuan,
  yuanPerGigajoule,
} from './quantities.ts'

test('an opening of 50 % is a ratio of 0.5', () => {
  expect(toRatio(openingPercent(50))).toBe(0.5)
  expect(toPercent(openingRatio(0.5))).toBe(50)
})

test('3.6 m³/h of water with 980 kg/m³ are 0.98 kg/s', () => {
  expect(toMassFlow(cubicMetrePerHour(3.6), 980)).toBeCloseTo(0.98, 12)
  expect(toVolumeFlow(kilogramPerSecond(0.98), 980)).toBeCloseTo(3.6, 12)
})

test('2500 kWh of heat are 9 GJ, which cost 405 yuan at 45 yuan/GJ', () => {
  expect(toGigajoule(kilowattHour(2500))).toBeCloseTo(9, 12)
  expect(toYuan(kilowattHour(2500), yuanPerGigajoule(45))).toBeCloseTo(405, 10)
})
