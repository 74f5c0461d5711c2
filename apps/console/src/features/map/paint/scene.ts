import { fromLonLat } from 'ol/proj.js'
import type { DrawnData, DrawnPoint } from './to-drawn.ts'

/** A point of the map's plane, metres of web Mercator (EPSG:3857) eastwards and northwards. */
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

/** What is drawn, in the plane of the map. */
export interface Scene {
  readonly pipes: readonly ScenePipe[]
  /** The lowest first: what has a value of its own lies above what stands for many. */
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
