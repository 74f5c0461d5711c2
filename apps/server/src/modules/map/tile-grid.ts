import type { MapPosition } from '@isotherm/contract/network/map'
import { toMercatorX, toMercatorY } from '@isotherm/kernel/web-mercator'

/** A tile of the Web Mercator grid: 2^z tiles per side, x and y counted from the north-west corner. */
export interface TileName {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** A part of the grid, whose sides are 1. `west` and `north` are included, `east` and `south` are not. */
export interface WorldBox {
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
}

/** The largest coordinate: positions outside the grid are in the outermost tiles. */
const LAST = 1 - Number.EPSILON

const clamp = (part: number): number => Math.min(Math.max(part, 0), LAST)

/** Grid coordinate of a longitude in degrees, from 0 to below 1, growing to the east. */
export const toWorldX = (longitudeDeg: number): number => clamp(toMercatorX(longitudeDeg))

/** Grid coordinate of a latitude in degrees, from 0 to below 1, growing to the south. */
export const toWorldY = (latitudeDeg: number): number => clamp(toMercatorY(latitudeDeg))

export function toWorldBox({ z, x, y }: TileName): WorldBox {
  const size = 2 ** -z
  return { west: x * size, north: y * size, east: (x + 1) * size, south: (y + 1) * size }
}

/** Returns the smallest box around positions and their count; undefined without positions. */
export function toExtent(positions: Iterable<MapPosition>) {
  let [west, south, east, north] = [180, 90, -180, -90]
  let count = 0
  for (const { longitudeDeg, latitudeDeg } of positions) {
    count += 1
    west = Math.min(west, longitudeDeg)
    east = Math.max(east, longitudeDeg)
    south = Math.min(south, latitudeDeg)
    north = Math.max(north, latitudeDeg)
  }
  return count === 0 ? undefined : { extent: { west, south, east, north }, count }
}
