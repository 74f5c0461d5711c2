import { expect, test } from 'vitest'
import { toLatitude, toLongitude, toMercatorX, toMercatorY } from './web-mercator.ts'

test('a position is where the published example has it', () => {
  // IOGP publication 373-7-2, example of method 1024: 24° 22' 54.433" N, 100° 20' W is N 2,800,000.00 m, E -11,169,055.58 m.
  const equatorM = 2 * Math.PI * 6_378_137
  expect(toMercatorX(-100 - 20 / 60)).toBeCloseTo(0.5 - 11_169_055.58 / equatorM, 9)
  expect(toMercatorY(24 + 22 / 60 + 54.433 / 3600)).toBeCloseTo(0.5 - 2_800_000 / equatorM, 9)
})

test('the equator and Greenwich are in the middle, and the square ends at 85.05 degrees', () => {
  expect([toMercatorX(0), toMercatorY(0)]).toEqual([0.5, 0.5])
  expect([toMercatorX(-180), toMercatorX(180)]).toEqual([0, 1])
  expect(toMercatorY(85.0511287798066)).toBeCloseTo(0, 12)
  expect(toMercatorY(-85.0511287798066)).toBeCloseTo(1, 12)
  expect([toMercatorY(90), toMercatorY(-90)]).toEqual([0, 1])
})

test('a position is restored from its place in the square', () => {
  expect(toLongitude(toMercatorX(126.6424))).toBeCloseTo(126.6424, 9)
  expect(toLatitude(toMercatorY(45.7567))).toBeCloseTo(45.7567, 9)
})
