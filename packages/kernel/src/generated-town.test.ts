import { expect, test } from 'vitest'
import type { GroundPosition } from './gcj02.ts'
import { createTown } from './generated-town.ts'

const middle = { longitudeDeg: 123.38, latitudeDeg: 41.79 }
const town = createTown(middle)
const STATIONS = 60
const AREAS = 4
const BUILDINGS = 38

/** m, on a plane as large as a town. */
function distanceM(left: GroundPosition, right: GroundPosition): number {
  const north = (left.latitudeDeg - right.latitudeDeg) * 111_320
  const east =
    (left.longitudeDeg - right.longitudeDeg) * 111_320 * Math.cos((middle.latitudeDeg * Math.PI) / 180)
  return Math.hypot(east, north)
}

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)
const stations = count(STATIONS).map((station) => town.placeStation(station))
const buildings = count(STATIONS).flatMap((station) =>
  count(AREAS).flatMap((area) =>
    count(BUILDINGS).map((building) => ({
      station,
      at: town.placeBuilding({ station, area, areas: AREAS }, building, BUILDINGS),
    })),
  ),
)

test('stations that follow each other are neighbours, and none stands on another', () => {
  for (const [index, station] of stations.entries()) {
    const next = stations[index + 1]
    if (next) expect(distanceM(station, next)).toBeLessThan(1_100)
    const ways = stations.slice(index + 1).map((other) => distanceM(station, other))
    expect(Math.min(...ways, 1_000)).toBeGreaterThan(700)
  }
})

test('no two buildings of neighbouring fields stand closer to each other than a house is long', () => {
  const near = buildings.filter(({ station }) => station < 6).map(({ at }) => at)
  const gaps = near.map((at, index) =>
    near.slice(index + 1).reduce((least, other) => Math.min(least, distanceM(at, other)), 1_000),
  )
  expect(Math.min(...gaps)).toBeGreaterThan(18)
})

test('a building stands nearer to its own station than the next field is wide', () => {
  const ways = buildings.map(({ station, at }) => distanceM(at, stations[station] ?? middle))
  expect(Math.max(...ways)).toBeLessThan(700)
})

test('the pipe of an area turns off between the station and its buildings', () => {
  const gate = town.placeArea({ station: 0, area: 1, areas: 2 })
  const [first, last] = [0, 6].map((at) => town.placeBuilding({ station: 0, area: 1, areas: 2 }, at, 8))
  expect(distanceM(gate, town.placeStation(0))).toBeLessThan(140)
  expect(gate.longitudeDeg).toBeLessThan(first?.longitudeDeg ?? 0)
  expect(first?.longitudeDeg).toBeLessThan(last?.longitudeDeg ?? 0)
})

test('the same town is made again', () => {
  const area = { station: 7, area: 2, areas: 3 }
  expect(createTown(middle).placeBuilding(area, 5, 9)).toEqual(town.placeBuilding(area, 5, 9))
})
