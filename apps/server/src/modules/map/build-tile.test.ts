import { MAP_DEEPEST_ZOOM, MAP_TILE_PLACES } from '@isotherm/contract/network/map'
import { createRandom } from '@isotherm/kernel/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlacedNode } from '../network/index.ts'
import { buildTile, type MapVisibility } from './build-tile.ts'
import { createMapIndex } from './map-index.ts'

const everything: MapVisibility = { shows: () => true, covers: () => true }

const toNode = (path: string, level: number, longitudeDeg: number, latitudeDeg = 39.9): PlacedNode => ({
  node: path,
  name: path,
  level,
  path,
  longitudeDeg,
  latitudeDeg,
})

/** A station, its area and the given number of buildings within a few kilometres. */
function makeTown(buildings: number): readonly PlacedNode[] {
  const random = createRandom(1)
  const near = (middle: number): number => middle + (random() - 0.5) * 0.1
  return [
    toNode('/1/2/', 4, 116.4),
    toNode('/1/2/3/', 5, 116.41),
    ...Array.from({ length: buildings }, (_, at) => toNode(`/1/2/3/${at + 10}/`, 6, near(116.4), near(39.9))),
  ]
}

const wholeWorld = { z: 0, x: 0, y: 0 }

test('few places are drawn individually, with the pipes from the station through the area to the buildings', () => {
  const { places, clusters, pipes } = buildTile(createMapIndex(makeTown(3), 'wgs84'), wholeWorld, everything)
  expect(places.map(({ path }) => path)).toEqual([
    '/1/2/',
    '/1/2/3/',
    '/1/2/3/10/',
    '/1/2/3/11/',
    '/1/2/3/12/',
  ])
  expect(clusters).toEqual([])
  expect(pipes.map(({ path, source }) => [path, source?.path])).toEqual([
    ['/1/2/3/', '/1/2/'],
    ['/1/2/3/10/', '/1/2/3/'],
    ['/1/2/3/11/', '/1/2/3/'],
    ['/1/2/3/12/', '/1/2/3/'],
  ])
})

test('many buildings become clusters, stations stay individual, and pipes to clusters are not drawn', () => {
  const index = createMapIndex(makeTown(5_000), 'wgs84')
  const { places, clusters, pipes } = buildTile(index, wholeWorld, everything)
  expect(places.map(({ level }) => level)).toEqual([4, 5])
  expect(clusters.map((cluster) => [cluster.of, cluster.places.length])).toEqual([['buildings', 5_000]])
  expect(pipes.map(({ level }) => level)).toEqual([5])
})

test('at any zoom every place is in exactly one tile, individually or in a cluster, and no tile exceeds its limit', () => {
  const town = makeTown(2_000)
  const index = createMapIndex(town, 'wgs84')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAP_DEEPEST_ZOOM - 1 }), (z) => {
      const scale = 2 ** z
      const tiles = new Set(
        index.places.map(({ x, y }) => `${Math.floor(x * scale)} ${Math.floor(y * scale)}`),
      )
      const found: string[] = []
      for (const tile of tiles) {
        const [x = 0, y = 0] = tile.split(' ').map(Number)
        const { places, clusters } = buildTile(index, { z, x, y }, everything)
        expect(places.length + clusters.length).toBeLessThanOrEqual(2 * MAP_TILE_PLACES)
        found.push(
          ...places.map(({ path }) => path),
          ...clusters.flatMap((one) => one.places.map(({ path }) => path)),
        )
      }
      expect(found.toSorted()).toEqual(town.map(({ path }) => path).toSorted())
    }),
    { numRuns: 18 },
  )
})

test('a pipe is drawn in every tile it crosses', () => {
  const index = createMapIndex([toNode('/1/2/', 4, -100), toNode('/1/2/3/', 5, 100)], 'wgs84')
  const { places, pipes } = buildTile(index, { z: 2, x: 1, y: 1 }, everything)
  expect(places).toEqual([])
  expect(pipes.map(({ path }) => path)).toEqual(['/1/2/3/'])
})

test('a pipe is not drawn if the scope does not cover the station it comes from', () => {
  const shows = (path: string) => path.startsWith('/1/2/3/')
  const { places, pipes } = buildTile(createMapIndex(makeTown(1), 'wgs84'), wholeWorld, {
    shows,
    covers: shows,
  })
  expect(places.map(({ path }) => path)).toEqual(['/1/2/3/', '/1/2/3/10/'])
  expect(pipes.map(({ path }) => path)).toEqual(['/1/2/3/10/'])
})

test('a part of the network is shown with the pipe that feeds it', () => {
  const visibility = { shows: (path: string) => path.startsWith('/1/2/3/'), covers: () => true }
  const { pipes } = buildTile(createMapIndex(makeTown(1), 'wgs84'), wholeWorld, visibility)
  expect(pipes.map(({ source }) => source?.path)).toEqual(['/1/2/', '/1/2/3/'])
})

test('heat comes from the nearest place above, never from one above a station', () => {
  const index = createMapIndex(
    [
      toNode('/1/', 1, 116),
      toNode('/1/2/', 4, 116.1),
      toNode('/1/2/3/4/', 6, 116.2),
      toNode('/1/5/6/7/', 6, 116.3),
      toNode('/1/5/6/7/8/', 7, 116.3),
    ],
    'wgs84',
  )
  expect(index.places.map(({ source }) => source?.path)).toEqual([
    undefined,
    undefined,
    '/1/2/',
    undefined,
    '/1/5/6/7/',
  ])
})

test('in GCJ-02 a place is shifted by some hundred metres, and is in the tile at that position', () => {
  const [place] = createMapIndex([toNode('/1/2/', 4, 116.377817, 39.911954)], 'gcj02').places
  expect(place?.longitudeDeg).toBeCloseTo(116.384047, 6)
  expect(place?.latitudeDeg).toBeCloseTo(39.913345, 6)
  expect(place?.x).toBeCloseTo(116.384047 / 360 + 0.5, 8)
})
