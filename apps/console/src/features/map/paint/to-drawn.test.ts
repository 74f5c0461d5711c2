import type { MapCluster, MapPipe, MapPlace } from '@isotherm/contract/network/map'
import { describe, expect, test } from 'vitest'
import { mergeTiles, toClusterKey, toDrawn, toThingsScale } from './to-drawn.ts'

const figures = { health: 'good', devCount: 4, silentCount: 0, badCount: 0 } as const
const toValue = (mean: number) => ({ mean, low: mean - 1, high: mean + 1, count: 4 })
const toPlace = (node: string, level: number, mean?: number): MapPlace => ({
  node,
  label: `楼${node}`,
  level,
  longitudeDeg: 126.6,
  latitudeDeg: 45.7,
  value: mean === undefined ? null : toValue(mean),
  ...figures,
})
const cluster: MapCluster = {
  of: 'buildings',
  count: 12,
  longitudeDeg: 126.7,
  latitudeDeg: 45.8,
  extent: { west: 126.69, south: 45.79, east: 126.71, north: 45.81 },
  value: toValue(50),
  ...figures,
}
const toPipe = (level: number): MapPipe => ({
  node: `${level}0`,
  level,
  from: [126.6, 45.7],
  to: [126.61, 45.7],
})

describe('tiles', () => {
  test('are merged with each pipe once, even if it crosses several tiles', () => {
    const left = { places: [toPlace('7', 6)], clusters: [], pipes: [toPipe(6)] }
    const right = { places: [], clusters: [cluster], pipes: [toPipe(6)] }
    expect(mergeTiles([left, right])).toEqual({
      places: left.places,
      clusters: [cluster],
      pipes: left.pipes,
    })
  })
})

describe('what is drawn', () => {
  const things = {
    places: [toPlace('4', 4, 30), toPlace('7', 6, 40), toPlace('8', 6)],
    clusters: [cluster],
    pipes: [toPipe(5), toPipe(6)],
  }
  const scale = toThingsScale(things, 'temp.return')
  const { pipes, points } = toDrawn(things, {
    scale,
    toPlaceText: ({ label }) => label,
    toClusterText: ({ count }) => String(count),
  })
  const findShare = (key: string) => points.find((point) => point.key === key)?.share

  test('is scaled from the lowest to the highest shown mean', () => {
    expect(scale).toEqual({ low: 30, high: 50 })
    expect([findShare('4'), findShare('7'), findShare(toClusterKey(cluster))]).toEqual([0, 0.5, 1])
  })

  test('has no share without a value', () => {
    expect(findShare('8')).toBeUndefined()
  })

  test('marks stations, and the pipes that start at a station', () => {
    expect(pipes.map(({ isMain }) => isMain)).toEqual([true, false])
    expect(points.map(({ kind, count }) => [kind, count])).toEqual([
      ['station', 1],
      ['place', 1],
      ['place', 1],
      ['cluster', 12],
    ])
  })

  test('has no scale for device state, and 0 to 100 % for openings', () => {
    expect(toThingsScale(things, 'health')).toBeUndefined()
    expect(toThingsScale(things, 'valve.opening')).toEqual({ low: 0, high: 100 })
  })
})
