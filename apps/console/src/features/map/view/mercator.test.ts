import { describe, expect, test } from 'vitest'
import { fromSquare, isSameView, toBounds, toCloser, toFit, toLifted, toSquare, toTiles } from './mercator.ts'

const size = { widthPx: 1024, heightPx: 512 }

describe('the square of web maps', () => {
  test('has equator and Greenwich in its centre, and ends at 85.05 degrees', () => {
    expect(toSquare([0, 0])).toEqual([0.5, 0.5])
    expect(toSquare([-180, 85.0511287798066])[1]).toBeCloseTo(0, 12)
    expect(toSquare([0, -90])[1]).toBeCloseTo(1, 12)
  })

  test('converts back to the same position', () => {
    const [longitude, latitude] = fromSquare(...toSquare([126.6424, 45.7567]))
    expect(longitude).toBeCloseTo(126.6424, 9)
    expect(latitude).toBeCloseTo(45.7567, 9)
  })
})

describe('a view', () => {
  test('at zoom 0 the world is 512 px wide', () => {
    const { west, east, south, north } = toBounds(
      { center: [0, 0], zoom: 0 },
      { widthPx: 512, heightPx: 512 },
    )
    expect([west, east]).toEqual([-180, 180])
    expect(north).toBeCloseTo(85.0511287798066, 9)
    expect(south).toBeCloseTo(-85.0511287798066, 9)
  })

  test('that fits a box shows all of it, with a margin', () => {
    const part = { west: 126.5, south: 45.7, east: 126.7, north: 45.8 }
    const shown = toBounds(toFit(part, size), size)
    expect(shown.west).toBeLessThan(part.west)
    expect(shown.east).toBeGreaterThan(part.east)
    expect(shown.south).toBeLessThan(part.south)
    expect(shown.north).toBeGreaterThan(part.north)
    expect(Math.min((shown.east - shown.west) / 0.2, (shown.north - shown.south) / 0.1)).toBeCloseTo(
      1 / 0.76,
      1,
    )
  })

  test('of a single point shows the streets around it', () => {
    expect(toFit({ west: 126.6, south: 45.7, east: 126.6, north: 45.7 }, size)).toEqual({
      center: [expect.closeTo(126.6, 9), expect.closeTo(45.7, 9)],
      zoom: 16.5,
    })
  })

  test('of a cluster is nearer than the view before the click, also if its places share a point', () => {
    const from = { center: [126.5, 45.6] as const, zoom: 17.9 }
    const point = { west: 126.6, south: 45.7, east: 126.6, north: 45.7 }
    expect(toCloser(point, from, size).zoom).toBe(19)
    expect(toCloser(point, { ...from, zoom: 12 }, size)).toEqual(toFit(point, size))
  })

  test('can show a point above the middle', () => {
    const lifted = toLifted([126.6, 45.7], 15, 100)
    const { north, south } = toBounds(lifted, { widthPx: 10, heightPx: 200 })
    expect(north).toBeCloseTo(45.7, 9)
    expect(south).toBeLessThan(45.7)
    expect(toLifted([126.6, 45.7], 15, 0)).toEqual({
      center: [expect.closeTo(126.6, 9), expect.closeTo(45.7, 9)],
      zoom: 15,
    })
  })

  test('equals another view if they differ by less than a pixel', () => {
    const view = { center: [126.6, 45.7] as const, zoom: 14 }
    expect(isSameView(view, { center: [126.60001, 45.7], zoom: 14.001 })).toBe(true)
    expect(isSameView(view, { center: [126.601, 45.7], zoom: 14 })).toBe(false)
    expect(isSameView(view, { center: [126.6, 45.7], zoom: 14.1 })).toBe(false)
  })
})

describe('tiles', () => {
  test('cover the view in the numbers of the slippy map', () => {
    // By the formula of the OpenStreetMap wiki, Slippy map tilenames: y = (1 - asinh(tan latitude) / π) / 2 · 2^z.
    const tiles = toTiles({ center: [139.7006793, 35.6590699], zoom: 18.2 }, { widthPx: 2, heightPx: 2 })
    expect(tiles).toEqual([{ z: 18, x: 232_798, y: 103_246 }])
  })

  test('are few: one per 512 px, and one more', () => {
    for (const zoom of [3, 9.99, 12.5, 17])
      expect(
        toTiles({ center: [126.6, 45.7], zoom }, { widthPx: 1440, heightPx: 900 }).length,
      ).toBeLessThanOrEqual(12)
  })

  test('do not exist deeper than 18 or outside the square', () => {
    expect(toTiles({ center: [126.6, 45.7], zoom: 19 }, size).every(({ z }) => z === 18)).toBe(true)
    expect(toTiles({ center: [0, 0], zoom: 0 }, { widthPx: 2000, heightPx: 2000 })).toEqual([
      { z: 0, x: 0, y: 0 },
    ])
  })
})
