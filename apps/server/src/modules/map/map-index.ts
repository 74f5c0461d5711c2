import type { MapCoordinates } from '@isotherm/contract/map'
import { treeLevels } from '@isotherm/contract/tree'
import { toGcj02 } from '@isotherm/kernel/gcj02'
import type { PlacedNode } from '../network/index.ts'
import { toWorldX, toWorldY } from './mercator.ts'

/** A place where the map shows it. */
export interface IndexedPlace extends PlacedNode {
  /** Parts of the world, see mercator.ts. */
  readonly x: number
  readonly y: number
  /** The place heat comes from: the nearest above it, not above a station. */
  readonly source: IndexedPlace | undefined
}

/** All places in one system of coordinates, in the order of the tree. */
export interface MapIndex {
  readonly places: readonly IndexedPlace[]
  /** Place at a path. */
  find(path: string): IndexedPlace | undefined
}

/** Path of the node above; '/' above a project. */
export const toPathAbove = (path: string): string => path.replace(/[^/]+\/$/, '')

/** Places above come first in the order of the tree, so that where heat comes from is known before where it goes. */
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
