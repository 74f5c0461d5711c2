import { kvAtOpening, type ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { bendValve, raiseValve } from './valve-curve.ts'

const equal: ValveCharacteristic = { kind: 'equal-percentage', kvs: flowCoefficient(16), rangeability: 40 }
const learned: ValveCharacteristic = {
  kind: 'learned',
  kvs: flowCoefficient(10),
  points: [0, 5, 9, 10].map(flowCoefficient),
}
const at = (valve: ValveCharacteristic, opening: number): number => kvAtOpening(valve, openingRatio(opening))

test('a bent curve is raised by κ when fully open, and turned by ρ from there', () => {
  for (const opening of [0.3, 0.6, 1]) {
    const factor = at(bendValve(equal, 0.1, 0.2), opening) / at(equal, opening)
    expect(Math.log(factor)).toBeCloseTo(0.1 + 0.2 * (opening - 1), 12)
  }
})

test('a learned curve is bent at its points, and only raised where it would fall', () => {
  expect(Math.log(at(bendValve(learned, 0, 0.3), 1 / 3) / 5)).toBeCloseTo(-0.2, 12)
  const raised = bendValve(learned, Math.log(2), -3)
  expect([at(raised, 1 / 3), at(raised, 1)]).toEqual([expect.closeTo(10, 9), expect.closeTo(20, 9)])
})

test('raising a valve raises its Kv at every opening', () => {
  for (const valve of [equal, learned, { kind: 'linear', kvs: flowCoefficient(4) } as const]) {
    expect(at(raiseValve(valve, 1.5), 0.7) / at(valve, 0.7)).toBeCloseTo(1.5, 12)
  }
})
