import { fromLonLat } from 'ol/proj.js'
import type { DrawnData, DrawnPoint } from './to-drawn.ts'

/** A point in Web Mercator (EPSG:3857), metres east and north. */
export interface Spot {
  readonly x: number
  readonly y: number
}

export interface ScenePoint extends DrawnPoint, Spot {}

export interface ScenePipe {
  readonly from: Spot
  readonly to: Spot
  readonly isMain: boolean
}

/** The network in the map plane. */
export interface Scene {
  readonly pipes: readonly ScenePipe[]
  /** The scene, sorted from bottom to top: single places lie above clusters. */
  readonly points: readonly ScenePoint[]
}

const heights: Readonly<Record<DrawnPoint['kind'], number>> = { place: 0, cluster: 1, station: 2 }

function toSpot([longitudeDeg, latitudeDeg]: DrawnPoint['at']): Spot {
  const [x = 0, y = 0] = fromLonLat([longitudeDeg, latitudeDeg])
  return { x, y }
}

export const toScene = ({ pipes, points }: DrawnData): Scene => ({
  pipes: pipes.map(({ from, to, isMain }) => ({ from: toSpot(from), to: toSpot(to), isMain })),
  points: points
    .map((point) => ({ ...point, ...toSpot(point.at) }))
    .sort((a, b) => heights[a.kind] - heights[b.kind]),
})
