import { flowCoefficient, openingRatio, resistance } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from './even-numbers.testkit.ts'
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

it('closes an equal-percentage valve in a straight line below 5 %: 10·40^-0.95/2 = 0.15032 m³/h at 2.5 %', () => {
  expect(kvAtOpening(equalPercentage, openingRatio(0.025))).toBeCloseTo(0.15032, 5)
  expect(openingForKv(equalPercentage, flowCoefficient(0.1503187))).toEqual({
    kind: 'opening',
    opening: expect.closeTo(0.025, 6),
  })
})

it('counts an opening outside 0..1 as the nearest end', () => {
  for (const valve of [equalPercentage, linear, quickOpening]) {
    expect(kvAtOpening(valve, openingRatio(-0.5))).toBe(0)
    expect(kvAtOpening(valve, openingRatio(1.5))).toBe(10)
  }
})

it('opens a valve fully for its Kvs and not at all for 0', () => {
  for (const valve of [equalPercentage, linear, quickOpening]) {
    expect(openingForKv(valve, flowCoefficient(10))).toEqual({ kind: 'opening', opening: 1 })
    expect(openingForKv(valve, flowCoefficient(0))).toEqual({ kind: 'opening', opening: 0 })
  }
})

it('opens a linear valve half and a quick-opening valve a quarter for half of its Kvs', () => {
  const half = flowCoefficient(5)
  expect(openingForKv(linear, half)).toEqual({ kind: 'opening', opening: 0.5 })
  expect(openingForKv(quickOpening, half)).toEqual({ kind: 'opening', opening: 0.25 })
  // 1 − ln 2/ln 40
  expect(openingForKv(equalPercentage, half)).toEqual({ kind: 'opening', opening: expect.closeTo(0.8121, 4) })
})

it('has an infinite resistance for a coefficient below zero too', () => {
  expect(valveResistance(flowCoefficient(-1), 1000)).toBe(Number.POSITIVE_INFINITY)
})

it('passes nothing when closed, also in a circuit where the valve has no authority', () => {
  for (const authority of [0, 0.5, 1]) expect(installedFlowRatio(linear, authority, openingRatio(0))).toBe(0)
})

it('drops 1 bar at a flow of Kv: 1000 kg/m³, Kv 3.6 means 1 kg/s and S = 1e5', () => {
  expect(valveResistance(flowCoefficient(3.6), 1000)).toBeCloseTo(1e5, 6)
  expect(kvForResistance(resistance(1e5), 1000)).toBeCloseTo(3.6, 12)
  // Half of the Kv loses four times as much, and half of the density too.
  expect(valveResistance(flowCoefficient(1.8), 1000)).toBeCloseTo(4e5, 6)
  expect(valveResistance(flowCoefficient(3.6), 500)).toBeCloseTo(4e5, 6)
  expect(kvForResistance(resistance(4e5), 1000)).toBeCloseTo(1.8, 12)
  expect(kvForResistance(resistance(4e5), 500)).toBeCloseTo(3.6, 12)
})

it('inverts the coefficient back to the opening over the whole stroke', () => {
  fc.assert(
    fc.property(anyNumber(0, 1), fc.constantFrom(equalPercentage, linear, quickOpening), (u, valve) => {
      const found = openingForKv(valve, kvAtOpening(valve, openingRatio(u)))
      expect(found.kind).toBe('opening')
      if (found.kind === 'opening') expect(found.opening).toBeCloseTo(u, 9)
    }),
  )
})

it('refuses a coefficient that no opening reaches', () => {
  expect(openingForKv(linear, flowCoefficient(11))).toEqual({ kind: 'kv-too-large', kvs: 10 })
  expect(openingForKv(linear, flowCoefficient(-1))).toEqual({ kind: 'kv-negative' })
  expect(openingForKv(linear, flowCoefficient(Number.NaN))).toEqual({ kind: 'kv-negative' })
})

it('increases flow with opening at every authority', () => {
  fc.assert(
    fc.property(anyNumber(0, 0.99), anyNumber(0.01, 1), (u, authority) => {
      expect(installedFlowRatio(equalPercentage, authority, openingRatio(u + 0.01))).toBeGreaterThan(
        installedFlowRatio(equalPercentage, authority, openingRatio(u)),
      )
    }),
  )
})

it('passes most of the flow at half opening when authority is low', () => {
  // a = 0.05: 1/√(0.95 + 0.05·40) = 0.5822; the inherent curve alone would give 0.1581.
  expect(installedFlowRatio(equalPercentage, 0.05, openingRatio(0.5))).toBeCloseTo(0.58222, 4)
  expect(installedFlowRatio(equalPercentage, 1, openingRatio(0.5))).toBeCloseTo(0.15811, 4)
  expect(valveAuthority(resistance(5), resistance(95))).toBe(0.05)
})
