import { expect, test } from 'vitest'
import { type CurvePoint, findCurveFault, valveCharacteristic } from './valve-characteristic.ts'

const toPoints = (...pairs: readonly (readonly [number, number])[]): CurvePoint[] =>
  pairs.map(([openingPct, kvM3H]) => ({ openingPct, kvM3H }))

test.each([
  { kind: 'equal-percentage', kvsM3H: 16, rangeability: 50 },
  { kind: 'linear', kvsM3H: 0.63 },
  { kind: 'quick-opening', kvsM3H: 160 },
  { kind: 'measured', points: toPoints([0, 0], [50, 4], [100, 16]) },
])('%j is a characteristic', (given) => {
  expect(valveCharacteristic.parse(given)).toEqual(given)
})

test.each([
  { kind: 'parabolic', kvsM3H: 16 },
  { kind: 'linear' },
  { kind: 'linear', kvsM3H: 0 },
  { kind: 'linear', kvsM3H: Number.NaN },
  { kind: 'linear', kvsM3H: 10_001 },
  { kind: 'equal-percentage', kvsM3H: 16 },
  { kind: 'equal-percentage', kvsM3H: 16, rangeability: 1 },
  { kind: 'measured', points: toPoints([0, 0], [50.5, 4], [100, 16]) },
  { kind: 'measured', points: toPoints([0, -1], [50, 4], [100, 16]) },
  { kind: 'measured', points: toPoints([0, 0], [50, 4], [101, 16]) },
])('%j is no characteristic', (given) => {
  expect(valveCharacteristic.safeParse(given).success).toBe(false)
})

test('points are a curve if openings rise to 100 % and the flow coefficient never falls', () => {
  expect(findCurveFault(toPoints([0, 0], [50, 4], [100, 16]))).toBeUndefined()
  // A leaking seat; a valve that opens late; one that is measured from 10 % on.
  expect(findCurveFault(toPoints([0, 0.3], [50, 4], [100, 16]))).toBeUndefined()
  expect(findCurveFault(toPoints([0, 0], [15, 0], [100, 16]))).toBeUndefined()
  expect(findCurveFault(toPoints([10, 1], [50, 4], [100, 16]))).toBeUndefined()
  const steps = Array.from({ length: 21 }, (_, index) => [index * 5, index] as const)
  expect(findCurveFault(toPoints(...steps))).toBeUndefined()
})

test('the first fault of points is named', () => {
  expect(findCurveFault([])).toBe('points')
  expect(findCurveFault(toPoints([0, 0], [100, 16]))).toBe('points')
  const many = Array.from({ length: 22 }, (_, index) => [index === 21 ? 100 : index, index] as const)
  expect(findCurveFault(toPoints(...many))).toBe('points')
  expect(findCurveFault(toPoints([0, 0], [50, 4], [50, 5], [100, 16]))).toBe('openings')
  expect(findCurveFault(toPoints([0, 0], [50, 4], [95, 16]))).toBe('end')
  expect(findCurveFault(toPoints([0, 0], [50, 17], [100, 16]))).toBe('kv')
  expect(findCurveFault(toPoints([0, 0], [50, 0], [100, 0]))).toBe('kv')
})
