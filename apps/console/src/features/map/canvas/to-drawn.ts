import type { MapCluster, MapPipe, MapPlace } from '@isotherm/contract/map'
import { treeLevels } from '@isotherm/contract/tree'
import { type HeatScale, toShare } from '../../../shared/heat-scale.ts'
import { type ColourBy, toOwnScale } from '../colour-by.ts'

/** Name of the source that holds the network. */
export const NETWORK = 'network'

/** What some tiles hold together. */
export interface MapThings {
  readonly places: readonly MapPlace[]
  readonly clusters: readonly MapCluster[]
  readonly pipes: readonly MapPipe[]
}

/** What the map is told of one thing it draws. */
interface DrawnProperties {
  readonly kind: 'station' | 'place' | 'cluster' | 'pipe'
  /** Node of a place, or what a cluster is known by. */
  readonly key: string
  /** Where its colour lies in the scale; absent without a value. */
  readonly share?: number
  readonly health?: MapPlace['health']
  readonly text?: string
  readonly count?: number
  /** A pipe from a station. */
  readonly main?: boolean
}

type Geometry =
  | { readonly type: 'Point'; readonly coordinates: [number, number] }
  | { readonly type: 'LineString'; readonly coordinates: [number, number][] }

export interface DrawnFeature {
  readonly type: 'Feature'
  readonly geometry: Geometry
  readonly properties: DrawnProperties
}

export interface DrawnData {
  readonly type: 'FeatureCollection'
  readonly features: DrawnFeature[]
}

/** What the tiles hold together; a pipe that crosses several is one. */
export function mergeTiles(tiles: readonly MapThings[]): MapThings {
  const pipes = new Map(tiles.flatMap((tile) => tile.pipes.map((pipe) => [pipe.node, pipe] as const)))
  return {
    places: tiles.flatMap(({ places }) => places),
    clusters: tiles.flatMap(({ clusters }) => clusters),
    pipes: [...pipes.values()],
  }
}

/** What a cluster is known by as long as it stays as it is. */
export const toClusterKey = ({ of, longitudeDeg, latitudeDeg, count }: MapCluster): string =>
  `${of} ${count} ${longitudeDeg},${latitudeDeg}`

/** The scale of what is shown; absent while nobody tells anything. */
export const toThingsScale = ({ places, clusters }: MapThings, by: ColourBy): HeatScale | undefined =>
  toOwnScale(
    by,
    [...places, ...clusters].flatMap(({ value }) => value?.mean ?? []),
  )

interface Look {
  readonly scale: HeatScale | undefined
  readonly toPlaceText: (place: MapPlace) => string
  readonly toClusterText: (cluster: MapCluster) => string
}

function toFigures({ value, health }: MapPlace | MapCluster, { scale }: Look): Partial<DrawnProperties> {
  return { health, ...(value && scale && { share: toShare(value.mean, scale) }) }
}

const toPoint = ({ longitudeDeg, latitudeDeg }: MapPlace | MapCluster): Geometry => ({
  type: 'Point',
  coordinates: [longitudeDeg, latitudeDeg],
})

/** All that is to be drawn, as GeoJSON; what comes later lies above. */
export function toDrawn({ places, clusters, pipes }: MapThings, look: Look): DrawnData {
  const lines = pipes.map(({ node, level, from, to }): DrawnFeature => {
    const isMain = level <= treeLevels.residentialArea
    return {
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: [from, to] },
      properties: { kind: 'pipe', key: node, main: isMain },
    }
  })
  const points = places.map((place): DrawnFeature => {
    const kind = place.level === treeLevels.station ? 'station' : 'place'
    const text = look.toPlaceText(place)
    return {
      type: 'Feature',
      geometry: toPoint(place),
      properties: { kind, key: place.node, text, ...toFigures(place, look) },
    }
  })
  const groups = clusters.map((cluster): DrawnFeature => {
    const properties = { key: toClusterKey(cluster), count: cluster.count, text: look.toClusterText(cluster) }
    return {
      type: 'Feature',
      geometry: toPoint(cluster),
      properties: { kind: 'cluster', ...properties, ...toFigures(cluster, look) },
    }
  })
  return { type: 'FeatureCollection', features: [...lines, ...points, ...groups] }
}
