import { toRadius } from './map-style.ts'
import type { ScenePoint, Spot } from './scene.ts'

/** Tolerance around a point for fingers, px. */
const REACH_PX = 8

/** Zoom and resolution of the map. */
export interface Nearness {
  readonly zoom: number
  /** Metres per pixel. */
  readonly resolution: number
}

/** The point selected by a click: of the points within reach, the nearest one of the topmost kind. */
export function findNear(
  points: readonly ScenePoint[],
  { x, y }: Spot,
  { zoom, resolution }: Nearness,
): ScenePoint | undefined {
  let found: ScenePoint | undefined
  let foundPx = Number.POSITIVE_INFINITY
  for (const point of points) {
    const awayPx = Math.hypot(point.x - x, point.y - y) / resolution
    if (awayPx > toRadius(point, zoom) + REACH_PX) continue
    // The points are sorted by kind, so a later kind lies above.
    if (point.kind === found?.kind && awayPx > foundPx) continue
    found = point
    foundPx = awayPx
  }
  return found
}
