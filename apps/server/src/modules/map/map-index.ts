import type { MapCoordinates } from '@isotherm/contract/network/map'
import { treeLevels } from '@isotherm/contract/tree'
import { toGcj02 } from '@isotherm/kernel/gcj02'
import type { PlacedNode } from '../network/index.ts'
import { toWorldX, toWorldY } from './tile-grid.ts'

/** A place with its position on the grid of tiles. */
export interface IndexedPlace extends PlacedNode {
  /** Position on the grid, 0 to 1, see tile-grid.ts. */
  readonly x: number
  readonly y: number
  /** The place that supplies it with heat: the nearest ancestor on the map, up to the station. */
  readonly source: IndexedPlace | undefined
}

/** All places in one coordinate system, in tree order. */
export interface MapIndex {
  readonly places: readonly IndexedPlace[]
  /** Finds the place at a path. */
  find(path: string): IndexedPlace | undefined
}

/** Path of the parent, '/' for a project. */
export const toPathAbove = (path: string): string => path.replace(/[^/]+\/$/, '')

/** Indexes places. `nodes` must be in tree order, so that each source comes before the places it supplies. */
export function createMapIndex(nodes: readonly PlacedNode[], coordinates: MapCoordinates): MapIndex {
  const byPath = new Map<string, IndexedPlace>()

  function findSource({ path, level }: PlacedNode): IndexedPlace | undefined {
    if (level <= treeLevels.station) return undefined
    for (let above = toPathAbove(path); above !== '/'; above = toPathAbove(above)) {
      const place = byPath.get(above)
      if (place) return place.level >= treeLevels.station ? place : undefined
    }
    return undefined
  }

  const places = nodes.map((node) => {
    const position = coordinates === 'gcj02' ? toGcj02(node) : node
    const [x, y] = [toWorldX(position.longitudeDeg), toWorldY(position.latitudeDeg)]
    const place = { ...node, ...position, x, y, source: findSource(node) }
    byPath.set(node.path, place)
    return place
  })
  return { places, find: (path) => byPath.get(path) }
}
