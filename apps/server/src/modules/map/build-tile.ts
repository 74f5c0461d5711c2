import { MAP_DEEPEST_ZOOM, MAP_TILE_PLACES, type MapCluster } from '@isotherm/contract/network/map'
import { treeLevels } from '@isotherm/contract/tree'
import type { IndexedPlace, MapIndex } from './map-index.ts'
import { type TileName, toWorldBox, type WorldBox } from './tile-grid.ts'

/** Places that are too close to each other to be drawn individually. */
export interface Cluster {
  readonly of: MapCluster['of']
  readonly places: readonly IndexedPlace[]
}

export interface TileContent {
  readonly places: readonly IndexedPlace[]
  readonly clusters: readonly Cluster[]
  /** Places at the lower ends of pipes. */
  readonly pipes: readonly IndexedPlace[]
}

export interface MapVisibility {
  /** Whether the map shows the place: inside the scope and below the requested nodes. */
  shows(path: string): boolean
  /** Whether the scope covers the place. */
  covers(path: string): boolean
}

/** Cells per side of a tile. A cell has 64 of the 512 pixels, enough for a circle with a number. */
const CELLS = 8
/** At the deepest zoom the user cannot zoom in further, so more places are drawn individually. */
const MAX_PLACES_AT_DEEPEST_ZOOM = 1_000
const MAX_PIPES = 400

const isBuilding = ({ level }: IndexedPlace): boolean => level >= treeLevels.building

const crosses = (place: IndexedPlace, source: IndexedPlace, box: WorldBox): boolean =>
  Math.min(place.x, source.x) < box.east &&
  Math.max(place.x, source.x) >= box.west &&
  Math.min(place.y, source.y) < box.south &&
  Math.max(place.y, source.y) >= box.north

/** Groups places by the cells of the grid. A place alone in its cell is drawn individually. */
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
 * Builds the content of a tile: its places (or clusters if there are too many, separately for stations and buildings)
 * and the pipes that cross it, except those to places drawn as clusters. The content does not depend on the window, so
 * clusters do not change while the map is moved.
 */
export function buildTile({ places: all }: MapIndex, tile: TileName, visibility: MapVisibility): TileContent {
  const box = toWorldBox(tile)
  const stations: IndexedPlace[] = []
  const buildings: IndexedPlace[] = []
  const touching: IndexedPlace[] = []
  for (const place of all) {
    const { x, y, source } = place
    const isHere = x >= box.west && x < box.east && y >= box.north && y < box.south
    const isTouched = source !== undefined && crosses(place, source, box)
    if (!(isHere || isTouched) || !visibility.shows(place.path)) continue
    if (isHere) (isBuilding(place) ? buildings : stations).push(place)
    // A pipe would reveal the position of its source, so the scope must cover the source too.
    if (isTouched && visibility.covers(source.path)) touching.push(place)
  }
  const most = tile.z === MAP_DEEPEST_ZOOM ? MAX_PLACES_AT_DEEPEST_ZOOM : MAP_TILE_PLACES
  const scale = 2 ** tile.z * CELLS
  const draw = (of: Cluster['of'], places: readonly IndexedPlace[]) =>
    places.length <= most ? { places, clusters: [] } : gather(of, places, scale)
  const [above, below] = [draw('stations', stations), draw('buildings', buildings)]
  const isIndividual = (place: IndexedPlace): boolean =>
    (isBuilding(place) ? below : above).clusters.length === 0
  return {
    places: [...above.places, ...below.places],
    clusters: [...above.clusters, ...below.clusters],
    pipes: touching
      .filter(isIndividual)
      .toSorted((left, right) => left.level - right.level)
      .slice(0, MAX_PIPES),
  }
}
