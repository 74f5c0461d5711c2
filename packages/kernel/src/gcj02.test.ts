import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toGcj02, toWgs84 } from './gcj02.ts'

/** A ten-millionth of a degree is a centimetre. */
const DIGITS = 7

// Figures of github.com/googollee/eviltransform, tests of each of its languages.
test.each([
  ['Shanghai', [121.5272106, 31.1774276], [121.531541859215, 31.17530398364597]],
  ['Shenzhen', [113.912316, 22.543847], [113.9171764808363, 22.540796131694766]],
  ['Beijing', [116.377817, 39.911954], [116.38404722455657, 39.91334545536069]],
])('%s is shifted as published, and back', (_city, [longitude = 0, latitude = 0], [east = 0, north = 0]) => {
  const wgs84 = { longitudeDeg: longitude, latitudeDeg: latitude }
  const gcj02 = toGcj02(wgs84)
  expect(gcj02.longitudeDeg).toBeCloseTo(east, DIGITS)
  expect(gcj02.latitudeDeg).toBeCloseTo(north, DIGITS)
  const back = toWgs84(gcj02)
  expect(back.longitudeDeg).toBeCloseTo(longitude, DIGITS)
  expect(back.latitudeDeg).toBeCloseTo(latitude, DIGITS)
})

test('a place far from China stays where it is', () => {
  const paris = { longitudeDeg: 2.2945, latitudeDeg: 48.8584 }
  expect(toGcj02(paris)).toEqual(paris)
  expect(toWgs84(paris)).toEqual(paris)
})

test.each([
  ['west', 72.003, 40],
  ['east', 137.835, 40],
  ['south', 105, 0.829],
  ['north', 105, 55.828],
])('a place just %s of the shifted box does not change', (_side, longitudeDeg, latitudeDeg) => {
  expect(toGcj02({ longitudeDeg, latitudeDeg })).toEqual({ longitudeDeg, latitudeDeg })
})

test('inside China a conversion and its inverse give the same place within a centimetre', () => {
  const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  fc.assert(
    fc.property(degrees(74, 135), degrees(18, 53.5), (longitudeDeg, latitudeDeg) => {
      const back = toWgs84(toGcj02({ longitudeDeg, latitudeDeg }))
      expect(back.longitudeDeg).toBeCloseTo(longitudeDeg, DIGITS)
      expect(back.latitudeDeg).toBeCloseTo(latitudeDeg, DIGITS)
    }),
  )
})
