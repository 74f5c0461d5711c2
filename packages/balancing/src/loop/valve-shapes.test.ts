import { kvAtOpening, type ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { basisCurves, mixCurves, USUAL_SHARES } from './valve-shapes.ts'

const equal: ValveCharacteristic = { kind: 'equal-percentage', kvs: flowCoefficient(16), rangeability: 30 }
const at = (valve: ValveCharacteristic, opening: number): number => kvAtOpening(valve, openingRatio(opening))

test('the basis curves of a valve have its Kvs, and its rangeability where it has one', () => {
  expect(basisCurves(equal)).toEqual([equal, { kind: 'linear', kvs: 16 }, { kind: 'quick-opening', kvs: 16 }])
  expect(basisCurves({ kind: 'linear', kvs: flowCoefficient(4) })[0]).toEqual({
    kind: 'equal-percentage',
    kvs: 4,
    rangeability: 40,
  })
  expect(USUAL_SHARES.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
})

test('a mixed curve has the weighted mean of ln Kv: half linear and half quick-opening is Kvs·u^0.75', () => {
  const [, linear, quick] = basisCurves(equal)
  const mixed = mixCurves([equal, linear ?? equal, quick ?? equal], [0, 0.5, 0.5])
  expect(mixed.kind).toBe('learned')
  for (const opening of [0.2, 0.5, 0.85, 1]) expect(at(mixed, opening)).toBeCloseTo(16 * opening ** 0.75, 9)
  expect(at(mixed, 0)).toBe(0)
})

test('an equal-percentage curve of almost the whole weight stays as it is', () => {
  const curves = basisCurves(equal)
  expect(mixCurves(curves, [0.985, 0.01, 0.005])).toBe(curves[0])
  expect(mixCurves(curves, [0.97, 0.02, 0.01]).kind).toBe('learned')
})

test('a linear curve of the whole weight becomes a learned one, which can be bent', () => {
  const mixed = mixCurves(basisCurves(equal), [0, 1, 0])
  expect(mixed.kind).toBe('learned')
  expect(at(mixed, 0.37)).toBeCloseTo(16 * 0.37, 9)
})
