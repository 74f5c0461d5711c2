import { expect, test } from 'vitest'
import { toExtent, toWorldBox, toWorldX, toWorldY } from './tile-grid.ts'

test('positions at the edges of the grid are in the outermost tiles, the centre is in the middle', () => {
  expect([toWorldX(-180), toWorldY(90)]).toEqual([0, 0])
  expect(toWorldX(180)).toBeLessThan(1)
  expect(toWorldY(-90)).toBeLessThan(1)
  expect([toWorldX(0), toWorldY(0)]).toEqual([0.5, 0.5])
})

test('the tiles of a zoom cover the grid without gaps', () => {
  const [left, right] = [toWorldBox({ z: 3, x: 4, y: 2 }), toWorldBox({ z: 3, x: 5, y: 2 })]
  expect(left.east).toBe(right.west)
  expect(left).toEqual({ west: 0.5, north: 0.25, east: 0.625, south: 0.375 })
})

test('the extent contains all positions; without positions there is none', () => {
  const positions = [
    { longitudeDeg: 116.4, latitudeDeg: 39.9 },
    { longitudeDeg: 116.2, latitudeDeg: 40.1 },
  ]
  const extent = { west: 116.2, south: 39.9, east: 116.4, north: 40.1 }
  expect(toExtent(positions)).toEqual({ extent, count: 2 })
  expect(toExtent([])).toBeUndefined()
})
