import type { MapCluster, MapPipe, MapPlace } from '@isotherm/contract/network/map'
import { treeLevels } from '@isotherm/contract/tree'
import { type HeatScale, toShare } from '../../../shared/section/heat-scale.ts'
import { type ColourBy, toOwnScale } from '../view/colour-by.ts'
import type { LngLat } from '../view/mercator.ts'

/** Merged content of some tiles. */
export interface MapThings {
  readonly places: readonly MapPlace[]
  readonly clusters: readonly MapCluster[]
  readonly pipes: readonly MapPipe[]
}

/** A place or cluster to draw. */
export interface DrawnPoint {
  readonly kind: 'station' | 'place' | 'cluster'
  /** Node key of a place, or cluster key. */
  readonly key: string
  readonly at: LngLat
  /** Share in the colour scale; undefined without a value. */
  readonly share?: number
  readonly health: MapPlace['health']
  /** Label text, in lines. */
  readonly text: string
  /** Number of places in a cluster; 1 for a place. */
  readonly count: number
}

export interface DrawnPipe {
  readonly from: LngLat
  readonly to: LngLat
  /** True if it starts at a station. */
  readonly isMain: boolean
}

export interface DrawnData {
  readonly pipes: readonly DrawnPipe[]
  readonly points: readonly DrawnPoint[]
}

/** Merges tiles. A pipe that crosses several tiles is included once. */
export function mergeTiles(tiles: readonly MapThings[]): MapThings {
  const pipes = new Map(tiles.flatMap((tile) => tile.pipes.map((pipe) => [pipe.node, pipe] as const)))
  return {
    places: tiles.flatMap(({ places }) => places),
    clusters: tiles.flatMap(({ clusters }) => clusters),
    pipes: [...pipes.values()],
  }
}

/** Key of a cluster, stable while the cluster does not change. */
export const toClusterKey = ({ of, longitudeDeg, latitudeDeg, count }: MapCluster): string =>
  `${of} ${count} ${longitudeDeg},${latitudeDeg}`

/** The colour scale of the shown values; undefined without values. */
export const toThingsScale = ({ places, clusters }: MapThings, by: ColourBy): HeatScale | undefined =>
  toOwnScale(
    by,
    [...places, ...clusters].flatMap(({ value }) => value?.mean ?? []),
  )

interface DrawOptions {
  readonly scale: HeatScale | undefined
  readonly toPlaceText: (place: MapPlace) => string
  readonly toClusterText: (cluster: MapCluster) => string
}

function toPoint(thing: MapPlace | MapCluster, { scale }: DrawOptions) {
  const { longitudeDeg, latitudeDeg, value, health } = thing
  return {
    at: [longitudeDeg, latitudeDeg] as const,
    health,
    ...(value && scale && { share: toShare(value.mean, scale) }),
  }
}

/** The points and pipes to draw. Later points lie above earlier ones of the same kind. */
export function toDrawn({ places, clusters, pipes }: MapThings, options: DrawOptions): DrawnData {
  const single = places.map((place): DrawnPoint => {
    const kind = place.level === treeLevels.station ? 'station' : 'place'
    return { kind, key: place.node, text: options.toPlaceText(place), count: 1, ...toPoint(place, options) }
  })
  const grouped = clusters.map((cluster): DrawnPoint => {
    const { count } = cluster
    const text = options.toClusterText(cluster)
    return { kind: 'cluster', key: toClusterKey(cluster), text, count, ...toPoint(cluster, options) }
  })
  return {
    pipes: pipes.map(({ level, from, to }) => ({ from, to, isMain: level <= treeLevels.residentialArea })),
    points: [...single, ...grouped],
  }
}
