import { flowCoefficient, openingRatio, resistance } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  installedFlowRatio,
  kvAtOpening,
  kvForResistance,
  openingForKv,
  type ValveCharacteristic,
  valveAuthority,
  valveResistance,
} from './valve.ts'

const equalPercentage: ValveCharacteristic = {
  kind: 'equal-percentage',
  kvs: flowCoefficient(10),
  rangeability: 40,
}
const linear: ValveCharacteristic = { kind: 'linear', kvs: flowCoefficient(10) }
const quickOpening: ValveCharacteristic = { kind: 'quick-opening', kvs: flowCoefficient(10) }

it('follows Kv = Kvs·R^(u-1): 10·40^-0.5 = 1.5811 m³/h at half opening', () => {
  expect(kvAtOpening(equalPercentage, openingRatio(0.5))).toBeCloseTo(1.58114, 5)
  expect(kvAtOpening(linear, openingRatio(0.5))).toBe(5)
})

it('lets a quick-opening valve pass 10·√0.5 = 7.0711 m³/h half open, 88 % of the flow at an authority of 0.3', () => {
  expect(kvAtOpening(quickOpening, openingRatio(0.5))).toBeCloseTo(7.07107, 5)
  // 1/√(1 − 0.3 + 0.3/0.5) = 1/√1.3
  expect(installedFlowRatio(quickOpening, 0.3, openingRatio(0.5))).toBeCloseTo(0.87706, 5)
})

it('closes fully, although the equal-percentage curve does not reach zero', () => {
  expect(kvAtOpening(equalPercentage, openingRatio(0))).toBe(0)
  expect(valveResistance(kvAtOpening(equalPercentage, openingRatio(0)), 988)).toBe(Number.POSITIVE_INFINITY)
})

it('drops 1 bar at a flow of Kv: 1000 kg/m³, Kv 3.6 means 1 kg/s and S = 1e5', () => {
  expect(valveResistance(flowCoefficient(3.6), 1000)).toBeCloseTo(1e5, 6)
  expect(kvForResistance(resistance(1e5), 1000)).toBeCloseTo(3.6, 12)
})

it('inverts the coefficient back to the opening over the whole stroke', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(equalPercentage, linear, quickOpening),
      (u, valve) => {
        const found = openingForKv(valve, kvAtOpening(valve, openingRatio(u)))
        expect(found.kind).toBe('opening')
        if (found.kind === 'opening') expect(found.opening).toBeCloseTo(u, 9)
      },
    ),
  )
})

it('refuses a coefficient that no opening reaches', () => {
  expect(openingForKv(linear, flowCoefficient(11))).toEqual({ kind: 'kv-too-large', kvs: 10 })
  expect(openingForKv(linear, flowCoefficient(-1))).toEqual({ kind: 'kv-negative' })
})

it('increases flow with opening at every authority', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (u, authority) => {
        expect(installedFlowRatio(equalPercentage, authority, openingRatio(u + 0.01))).toBeGreaterThan(
          installedFlowRatio(equalPercentage, authority, openingRatio(u)),
        )
      },
    ),
  )
})

it('passes most of the flow at half opening when authority is low', () => {
  // a = 0.05: 1/√(0.95 + 0.05·40) = 0.5822; the inherent curve alone would give 0.1581.
  expect(installedFlowRatio(equalPercentage, 0.05, openingRatio(0.5))).toBeCloseTo(0.58222, 4)
  expect(installedFlowRatio(equalPercentage, 1, openingRatio(0.5))).toBeCloseTo(0.15811, 4)
  expect(valveAuthority(resistance(5), resistance(95))).toBe(0.05)
})
