import { expect, test } from 'vitest'
import {
  cubicMetrePerHour,
  kilogramPerSecond,
  openingPercent,
  openingRatio,
  toMassFlow,
  toPercent,
  toRatio,
  toVolumeFlow,
} from './quantities.ts'

test('an opening of 50 % is a ratio of 0.5', () => {
  expect(toRatio(openingPercent(50))).toBe(0.5)
  expect(toPercent(openingRatio(0.5))).toBe(50)
})

test('3.6 m³/h of water with 980 kg/m³ are 0.98 kg/s', () => {
  expect(toMassFlow(cubicMetrePerHour(3.6), 980)).toBeCloseTo(0.98, 12)
  expect(toVolumeFlow(kilogramPerSecond(0.98), 980)).toBeCloseTo(3.6, 12)
})
