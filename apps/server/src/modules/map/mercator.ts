import type { MapPosition } from '@isotherm/contract/map'
import { toMercatorX, toMercatorY } from '@isotherm/kernel/web-mercator'

/** A tile of the Web Mercator grid: `z` halvings of the world, counted from the north-west. */
export interface TileName {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** What lies from `west` up to `east` and from `north` up to `south`, of a world from 0 to 1 each way. */
export interface WorldBox {
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
}

/** Beyond it, where the world of the grid ends, everything lies in its outermost tiles. */
const LAST = 1 - Number.EPSILON

const clamp = (part: number): number => Math.min(Math.max(part, 0), LAST)

/** Part of the world, from 0 to below 1, that lies west of a longitude. */
export const toWorldX = (longitudeDeg: number): number => clamp(toMercatorX(longitudeDeg))

/** Part of the world, from 0 to below 1, that lies north of a latitude. */
export const toWorldY = (latitudeDeg: number): number => clamp(toMercatorY(latitudeDeg))

export function toWorldBox({ z, x, y }: TileName): WorldBox {
  const size = 2 ** -z
  return { west: x * size, north: y * size, east: (x + 1) * size, south: (y + 1) * size }
}

/** The smallest box around positions; undefined without any. */
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
