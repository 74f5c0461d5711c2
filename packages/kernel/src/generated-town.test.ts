import { expect, test } from 'vitest'
import type { GroundPosition } from './gcj02.ts'
import { createTown } from './generated-town.ts'

const middle = { longitudeDeg: 123.38, latitudeDeg: 41.79 }
const town = createTown(middle)
const STATIONS = 60
const AREAS = 4
const BUILDINGS = 38
/** Mean metres of a degree of longitude in the middle of the town. */
const PARALLEL_M = 111_320 * Math.cos((middle.latitudeDeg * Math.PI) / 180)

/** m, on a plane as large as a town. */
function distanceM(left: GroundPosition, right: GroundPosition): number {
  const north = (left.latitudeDeg - right.latitudeDeg) * 111_320
  const east = (left.longitudeDeg - right.longitudeDeg) * PARALLEL_M
  return Math.hypot(east, north)
}

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)
/** Metres east and north of the middle of the town. */
const toOffsetM = ({ longitudeDeg, latitudeDeg }: GroundPosition) => ({
  east: (longitudeDeg - middle.longitudeDeg) * PARALLEL_M,
  north: (latitudeDeg - middle.latitudeDeg) * 111_320,
})

// Functions, not constants: mutation testing notices only what runs inside a test.
const placeStations = () => count(STATIONS).map((station) => town.placeStation(station))
const placeBuildings = (stations: number) =>
  count(stations).flatMap((station) =>
    count(AREAS).flatMap((area) =>
      count(BUILDINGS).map((building) => ({
        station,
        at: town.placeBuilding({ station, area, areas: AREAS }, building, BUILDINGS),
      })),
    ),
  )

test('stations are in squares of 1000 m by 800 m, in a spiral around the middle, at most 30 m off', () => {
  const squares = placeStations()
    .slice(0, 10)
    .map((at) => {
      const { east, north } = toOffsetM(at)
      const square = [Math.round(east / 1_000), Math.round(north / 800)] as const
      expect(Math.abs(east - square[0] * 1_000)).toBeLessThan(30)
      expect(Math.abs(north - square[1] * 800)).toBeLessThan(30)
      return square.map((index) => index + 0)
    })
  expect(squares).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
    [2, -1],
  ])
})

test('consecutive stations are neighbours, and no two stations are at the same place', () => {
  const stations = placeStations()
  for (const [index, station] of stations.entries()) {
    const next = stations[index + 1]
    if (next) expect(distanceM(station, next)).toBeLessThan(1_100)
    const distances = stations.slice(index + 1).map((other) => distanceM(station, other))
    expect(Math.min(...distances, 1_000)).toBeGreaterThan(700)
  }
})

test('two buildings of neighbouring stations are at least the length of a house apart', () => {
  const near = placeBuildings(6).map(({ at }) => at)
  const gaps = near.map((at, index) =>
    near.slice(index + 1).reduce((least, other) => Math.min(least, distanceM(at, other)), 1_000),
  )
  expect(Math.min(...gaps)).toBeGreaterThan(18)
})

test('a building is nearer to its own station than a square of the town is wide', () => {
  const stations = placeStations()
  const distances = placeBuildings(STATIONS).map(({ station, at }) =>
    distanceM(at, stations[station] ?? middle),
  )
  expect(Math.max(...distances)).toBeLessThan(700)
})

test('the pipe of an area branches off between the station and its buildings', () => {
  const gate = town.placeArea({ station: 0, area: 1, areas: 2 })
  const [first, last] = [0, 6].map((at) => town.placeBuilding({ station: 0, area: 1, areas: 2 }, at, 8))
  expect(distanceM(gate, town.placeStation(0))).toBeLessThan(140)
  expect(gate.longitudeDeg).toBeLessThan(first?.longitudeDeg ?? 0)
  expect(first?.longitudeDeg).toBeLessThan(last?.longitudeDeg ?? 0)
})

test('areas branch off 80 m west and east of their station in turn, from south to north', () => {
  const gates = count(4).map((area) => toOffsetM(town.placeArea({ station: 0, area, areas: 4 })))
  expect(gates.map(({ east, north }) => [Math.round(east), Math.round(north)])).toEqual([
    [-80, -200],
    [80, -200],
    [-80, 200],
    [80, 200],
  ])
})

test('the buildings of an area are in rows 110 m to 450 m from the station, alternately south and north of the street', () => {
  // Two areas: the street is in the middle of the square, and rows have the largest gap, 55 m.
  const area = { station: 0, area: 1, areas: 2 }
  const spots = count(14).map((building) => toOffsetM(town.placeBuilding(area, building, 14)))
  for (const [building, { east, north }] of spots.entries()) {
    expect(Math.abs(east - (110 + ((building % 7) * 340) / 6))).toBeLessThan(7)
    expect(Math.abs(north - (building < 7 ? -27.5 : 27.5))).toBeLessThan(7)
  }
  const third = toOffsetM(town.placeBuilding(area, 14, 15))
  expect(Math.abs(third.north + 82.5)).toBeLessThan(7)
  // Eight areas share the width of 800 m in four streets of six rows each.
  const narrow = toOffsetM(town.placeBuilding({ station: 0, area: 0, areas: 8 }, 0, 6))
  expect(Math.abs(narrow.east + 110)).toBeLessThan(7)
  expect(Math.abs(narrow.north - (-300 - 200 / 12))).toBeLessThan(7)
})

test('buildings are shifted to both sides of their place, each in its own way', () => {
  const offs = count(2).flatMap((station) =>
    count(2).flatMap((area) =>
      count(7).map((building) => {
        const { east } = toOffsetM(town.placeBuilding({ station, area, areas: 2 }, building, 7))
        const side = area === 0 ? -1 : 1
        return east - station * 1_000 - side * (110 + (building * 340) / 6)
      }),
    ),
  )
  expect(Math.min(...offs)).toBeLessThan(-1)
  expect(Math.max(...offs)).toBeGreaterThan(1)
  expect(new Set(offs.map((off) => off.toFixed(3))).size).toBe(offs.length)
})

test('the same input gives the same town', () => {
  const area = { station: 7, area: 2, areas: 3 }
  expect(createTown(middle).placeBuilding(area, 5, 9)).toEqual(town.placeBuilding(area, 5, 9))
})
