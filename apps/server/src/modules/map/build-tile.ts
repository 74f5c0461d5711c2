import { MAP_DEEPEST_ZOOM, MAP_TILE_PLACES, type MapCluster } from '@isotherm/contract/map'
import { treeLevels } from '@isotherm/contract/tree'
import type { IndexedPlace, MapIndex } from './map-index.ts'
import { type TileName, toWorldBox, type WorldBox } from './mercator.ts'

/** Places too close to each other to be drawn one by one. */
export interface Cluster {
  readonly of: MapCluster['of']
  readonly places: readonly IndexedPlace[]
}

export interface CutTile {
  readonly places: readonly IndexedPlace[]
  readonly clusters: readonly Cluster[]
  /** Places at the lower ends of pipes. */
  readonly pipes: readonly IndexedPlace[]
}

/** Which places somebody is shown, and which they may know of. */
export interface MapSight {
  shows(path: string): boolean
  covers(path: string): boolean
}

/** Cells of a tile each way; of its 512 pixels one takes 64, room for a circle with a number. */
const CELLS = 8
/** On the finest grid nothing is closer by another zoom, so more are drawn one by one. */
const MOST_ON_FINEST = 1_000
const MOST_PIPES = 400

const isBuilding = ({ level }: IndexedPlace): boolean => level >= treeLevels.building

const crosses = (place: IndexedPlace, source: IndexedPlace, box: WorldBox): boolean =>
  Math.min(place.x, source.x) < box.east &&
  Math.max(place.x, source.x) >= box.west &&
  Math.min(place.y, source.y) < box.south &&
  Math.max(place.y, source.y) >= box.north

/** Places by cells of the grid; what is alone in its cell is drawn itself. */
function gather(of: Cluster['of'], places: readonly IndexedPlace[], scale: number) {
  const cells = Map.groupBy(
    places,
    ({ x, y }) => Math.floor(x * scale) * 2 ** MAP_DEEPEST_ZOOM * CELLS + Math.floor(y * scale),
  )
  const groups = [...cells.values()]
  return {
    places: groups.flatMap((group) => (group.length === 1 ? group : [])),
    clusters: groups.flatMap((group) => (group.length === 1 ? [] : [{ of, places: group }])),
  }
}

/**
 * What a tile shows: its places, or clusters where they are more than a tile holds, of stations and of buildings each
 * by themselves; and the pipes that touch it, but for those between what is drawn as clusters. What it shows does not
 * depend on the window, so that nothing regroups while the map is moved.
 */
export function cutTile({ places: all }: MapIndex, tile: TileName, sight: MapSight): CutTile {
  const box = toWorldBox(tile)
  const stations: IndexedPlace[] = []
  const buildings: IndexedPlace[] = []
  const touching: IndexedPlace[] = []
  for (const place of all) {
    const { x, y, source } = place
    const isHere = x >= box.west && x < box.east && y >= box.north && y < box.south
    const isTouched = source !== undefined && crosses(place, source, box)
    if (!(isHere || isTouched) || !sight.shows(place.path)) continue
    if (isHere) (isBuilding(place) ? buildings : stations).push(place)
    // Where a pipe comes from is told to nobody who may not know of it.
    if (isTouched && sight.covers(source.path)) touching.push(place)
  }
  const most = tile.z === MAP_DEEPEST_ZOOM ? MOST_ON_FINEST : MAP_TILE_PLACES
  const scale = 2 ** tile.z * CELLS
  const draw = (of: Cluster['of'], places: readonly IndexedPlace[]) =>
    places.length <= most ? { places, clusters: [] } : gather(of, places, scale)
  const [above, below] = [draw('stations', stations), draw('buildings', buildings)]
  const isOneByOne = (place: IndexedPlace): boolean =>
    (isBuilding(place) ? below : above).clusters.length === 0
  return {
    places: [...above.places, ...below.places],
    clusters: [...above.clusters, ...below.clusters],
    pipes: touching
      .filter(isOneByOne)
      .toSorted((left, right) => left.level - right.level)
      .slice(0, MOST_PIPES),
  }
}
