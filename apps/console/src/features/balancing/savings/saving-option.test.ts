import { expect, test } from 'vitest'
import { toLinePoints, toPoints } from './saving-option.ts'

const line = { baseKwh: 2_000, slopeKwhK: 500, changePointC: 16 }

test('days are points in MWh, from the coldest to the warmest', () => {
  const days = [
    { date: 'a', outdoorC: 3, heatKwh: 8_500 },
    { date: 'b', outdoorC: -5, heatKwh: 12_500 },
  ]
  expect(toPoints(days)).toEqual([
    [-5, 12.5],
    [3, 8.5],
  ])
})

test('a line bends at its change point where days are on both sides of it', () => {
  expect(
    toLinePoints(line, [
      [-4, 12],
      [10, 5],
    ]),
  ).toEqual([
    [-4, 12],
    [10, 5],
  ])
  expect(
    toLinePoints(line, [
      [-4, 12],
      [20, 2],
    ]),
  ).toEqual([
    [-4, 12],
    [16, 2],
    [20, 2],
  ])
  expect(toLinePoints(line, [])).toEqual([])
})
