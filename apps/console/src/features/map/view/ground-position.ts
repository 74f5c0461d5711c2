import type { MapCoordinates } from '@isotherm/contract/network/map'
import { toGcj02, toWgs84 } from '@isotherm/kernel/gcj02'
import type { LngLat } from './mercator.ts'

/** A WGS-84 position in the coordinates of the base map. */
export function fromWgs84([longitudeDeg, latitudeDeg]: LngLat, coordinates: MapCoordinates): LngLat {
  if (coordinates === 'wgs84') return [longitudeDeg, latitudeDeg]
  const shifted = toGcj02({ longitudeDeg, latitudeDeg })
  return [shifted.longitudeDeg, shifted.latitudeDeg]
}

/** The reverse of fromWgs84. */
export function intoWgs84([longitudeDeg, latitudeDeg]: LngLat, coordinates: MapCoordinates): LngLat {
  if (coordinates === 'wgs84') return [longitudeDeg, latitudeDeg]
  const position = toWgs84({ longitudeDeg, latitudeDeg })
  return [position.longitudeDeg, position.latitudeDeg]
}
