import type { GroundPosition } from '@isotherm/kernel/gcj02'
import { createTown } from '@isotherm/kernel/generated-town'
import type { StationLayout } from './layout.ts'

/** Middle of the generated town, in the plain of the Liao. */
const MIDDLE = { longitudeDeg: 123.38, latitudeDeg: 41.79 } as const

/** Positions of stations, areas and buildings by key. */
export function toTownPositions(stations: readonly StationLayout[]): ReadonlyMap<string, GroundPosition> {
  const town = createTown(MIDDLE)
  const grounds = new Map<string, GroundPosition>()
  for (const [number, station] of stations.entries()) {
    grounds.set(station.key, town.placeStation(number))
    for (const [index, { key, buildings }] of station.areas.entries()) {
      const area = { station: number, area: index, areas: station.areas.length }
      grounds.set(key, town.placeArea(area))
      for (const [at, building] of buildings.entries()) {
        grounds.set(building.key, town.placeBuilding(area, at, buildings.length))
      }
    }
  }
  return grounds
}
