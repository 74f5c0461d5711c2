import { expect, test } from 'vitest'
import { fromWgs84, intoWgs84 } from './ground-position.ts'

test('a position on a GCJ-02 base map is shifted by several hundred metres, and converts back', () => {
  const [longitude, latitude] = fromWgs84([126.6424, 45.7567], 'gcj02')
  const metresNorth = (latitude - 45.7567) * 111_195
  const metresEast = (longitude - 126.6424) * 111_195 * Math.cos((45.7567 * Math.PI) / 180)
  expect(Math.hypot(metresNorth, metresEast)).toBeGreaterThan(100)
  expect(Math.hypot(metresNorth, metresEast)).toBeLessThan(1_000)
  const back = intoWgs84([longitude, latitude], 'gcj02')
  expect(back[0]).toBeCloseTo(126.6424, 8)
  expect(back[1]).toBeCloseTo(45.7567, 8)
})

test('a position on a WGS-84 base map is not shifted', () => {
  expect(fromWgs84([126.6, 45.7], 'wgs84')).toEqual([126.6, 45.7])
  expect(intoWgs84([126.6, 45.7], 'wgs84')).toEqual([126.6, 45.7])
})
