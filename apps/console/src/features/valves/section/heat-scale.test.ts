import { expect, test } from 'vitest'
import { sampleDevice, sampleState } from '../../../shared/devices/valve-samples.testkit.ts'
import { toFill, toRowScale } from './heat-scale.ts'

const row = (id: number, returnC: number) => ({
  device: sampleDevice({ id }),
  state: sampleState({ deviceId: id, metrics: { 'temp.return': returnC } }),
  command: undefined,
  hold: undefined,
})

test('the scale runs from the lowest to the highest value of the rows', () => {
  expect(toRowScale([row(1, 31), row(2, 38), row(3, 35)], 'temp.return')).toEqual({ low: 31, high: 38 })
})

test('openings are always scaled from 0 to 100 %, and without values there is no scale', () => {
  expect(toRowScale([], 'valve.opening')).toEqual({ low: 0, high: 100 })
  expect(toRowScale([], 'temp.return')).toBeUndefined()
})

test('openings have their own colour', () => {
  expect(toFill(0, 'temp.return')).toContain('--return-rgb), 0.45')
  expect(toFill(0, 'valve.opening')).toContain('--accent-rgb), 0)')
})
