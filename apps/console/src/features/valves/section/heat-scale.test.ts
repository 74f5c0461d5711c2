import { expect, test } from 'vitest'
import { sampleDevice, sampleState } from '../valve-samples.testkit.ts'
import { toFill, toScale, toShare } from './heat-scale.ts'

const row = (id: number, returnC: number) => ({
  device: sampleDevice({ id }),
  state: sampleState({ deviceId: id, metrics: { 'temp.return': returnC } }),
  command: undefined,
  hold: undefined,
})

test('one valve far off does not take the colours from the others', () => {
  const rows = [...Array.from({ length: 200 }, (_, index) => row(index, 30 + index / 20)), row(999, 95)]
  const scale = toScale(rows, 'temp.return')
  expect(scale?.high).toBeLessThan(41)
  expect(toShare(95, scale ?? { low: 0, high: 0 })).toBe(1)
})

test('a value lies between the ends, and in the middle where there is nothing between', () => {
  expect([30, 35, 40, 20].map((value) => toShare(value, { low: 30, high: 40 }))).toEqual([0, 0.5, 1, 0])
  expect(toShare(35, { low: 35, high: 35 })).toBe(0.5)
})

test('openings are always shown from nought to a hundred, and without values there is no scale', () => {
  expect(toScale([], 'valve.opening')).toEqual({ low: 0, high: 100 })
  expect(toScale([], 'temp.return')).toBeUndefined()
})

test('cold and warm have colours of their own, and the middle none', () => {
  expect(toFill(0, 'temp.return')).toContain('--return) 45%')
  expect(toFill(0.5, 'temp.return')).toContain('--supply) 0%')
  expect(toFill(1, 'temp.return')).toContain('--supply) 45%')
  expect(toFill(0, 'valve.opening')).toContain('--accent) 0%')
})
