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

test('a linear valve has no slope to turn, and the rangeability of an equal-percentage one is 1.5 at least', () => {
  const linear = { kind: 'linear', kvs: flowCoefficient(4) } as const
  expect(bendValve(linear, Math.log(2), 0.7)).toEqual({ kind: 'linear', kvs: 8 })
  expect(bendValve(equal, 0, -10)).toEqual({ ...equal, rangeability: 1.5 })
})

test('a raised learned curve keeps its points: Kvs is the last of them', () => {
  expect(raiseValve(learned, 2)).toEqual({ kind: 'learned', kvs: 20, points: [0, 10, 18, 20] })
  expect(bendValve(learned, 0, 0.3)).toMatchObject({ kind: 'learned', kvs: 10 })
})
