import { describe, expect, test } from 'vitest'
import { type MapStyle, through, toDots, toFill, toRadius } from './map-style.ts'
import type { DrawnPoint } from './to-drawn.ts'

const mapStyle: MapStyle = {
  colours: {
    surface: 'white',
    ink: 'black',
    accent: 'teal',
    ramp: ['blue', 'grey', 'red'],
    health: { good: 'green', caution: 'yellow', alarm: 'crimson', none: 'silver' },
  },
  isByHealth: false,
}

const place: DrawnPoint = {
  kind: 'place',
  key: '7',
  at: [126.6, 45.7],
  health: 'good',
  text: '一号楼',
  count: 1,
}
const station: DrawnPoint = { ...place, kind: 'station' }
const toCluster = (count: number): DrawnPoint => ({ ...place, kind: 'cluster', count })

test('a size is interpolated between stops and constant beyond them', () => {
  const size = through([10, 3], [14, 5], [18, 11])
  expect([2, 10, 12, 14, 16, 18, 30].map(size)).toEqual([3, 3, 4, 5, 8, 11, 11])
})

describe('the fill', () => {
  test('is the colour of the share in the scale', () => {
    expect([0, 0.2, 0.5, 0.8, 1].map((share) => toFill({ ...place, share }, mapStyle))).toEqual([
      'blue',
      'blue',
      'grey',
      'red',
      'red',
    ])
  })

  test('is the surface without a value, and the state colour when coloured by device state', () => {
    expect(toFill(place, mapStyle)).toBe('white')
    expect(toFill({ ...place, share: 1, health: 'caution' }, { ...mapStyle, isByHealth: true })).toBe(
      'yellow',
    )
  })
})

describe('the circles', () => {
  test('are one for a place, and a ring around the value for a station', () => {
    expect(toDots({ ...place, share: 0 }, 14, mapStyle)).toEqual([
      { radiusPx: 5, fill: 'blue', edge: 'black', edgePx: 1 },
    ])
    expect(toDots({ ...station, share: 1 }, 14, mapStyle)).toEqual([
      { radiusPx: 11, fill: 'white', edge: 'black', edgePx: 2 },
      { radiusPx: 7, fill: 'red', edge: 'red', edgePx: 0 },
    ])
  })

  test('have an alarm edge with any colouring', () => {
    for (const isByHealth of [true, false])
      for (const point of [place, station, toCluster(4)])
        expect(toDots({ ...point, health: 'alarm' }, 14, { ...mapStyle, isByHealth })[0]).toMatchObject({
          edge: 'crimson',
        })
  })

  test('of clusters grow with the square root of their count, at any zoom', () => {
    expect([1, 1600, 100_000].map((count) => toRadius(toCluster(count), 9))).toEqual([11, 34, 34])
    expect(toRadius(toCluster(400), 9)).toBe(toRadius(toCluster(400), 18))
  })
})
