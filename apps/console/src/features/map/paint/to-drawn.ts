import type { MapCluster, MapPipe, MapPlace } from '@isotherm/contract/map'
import { treeLevels } from '@isotherm/contract/tree'
import { type HeatScale, toShare } from '../../../shared/heat-scale.ts'
import { type ColourBy, toOwnScale } from '../view/colour-by.ts'
import type { LngLat } from '../view/mercator.ts'

/** What some tiles hold together. */
export interface MapThings {
  readonly places: readonly MapPlace[]
  readonly clusters: readonly MapCluster[]
  readonly pipes: readonly MapPipe[]
}

/** What the map is told of a place or a cluster. */
export interface DrawnPoint {
  readonly kind: 'station' | 'place' | 'cluster'
  /** Node of a place, or what a cluster is known by. */
  readonly key: string
  readonly at: LngLat
  /** Where its colour lies in the scale; absent without a value. */
  readonly share?: number
  readonly health: MapPlace['health']
  /** What stands there, in lines. */
  readonly text: string
  /** Places that a cluster stands for; 1 of a place. */
  readonly count: number
}

export interface DrawnPipe {
  readonly from: LngLat
  readonly to: LngLat
  /** It comes from a station. */
  readonly isMain: boolean
}

export interface DrawnData {
  readonly pipes: readonly DrawnPipe[]
  readonly points: readonly DrawnPoint[]
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

function toPoint(thing: MapPlace | MapCluster, { scale }: Look) {
  const { longitudeDeg, latitudeDeg, value, health } = thing
  return {
    at: [longitudeDeg, latitudeDeg] as const,
    health,
    ...(value && scale && { share: toShare(value.mean, scale) }),
  }
}

/** All that is to be drawn; what comes later lies above what is of its kind. */
export function toDrawn({ places, clusters, pipes }: MapThings, look: Look): DrawnData {
  const single = places.map((place): DrawnPoint => {
    const kind = place.level === treeLevels.station ? 'station' : 'place'
    return { kind, key: place.node, text: look.toPlaceText(place), count: 1, ...toPoint(place, look) }
  })
  const grouped = clusters.map((cluster): DrawnPoint => {
    const { count } = cluster
    const text = look.toClusterText(cluster)
    return { kind: 'cluster', key: toClusterKey(cluster), text, count, ...toPoint(cluster, look) }
  })
  return {
    pipes: pipes.map(({ level, from, to }) => ({ from, to, isMain: level <= treeLevels.residentialArea })),
    points: [...single, ...grouped],
  }
}
