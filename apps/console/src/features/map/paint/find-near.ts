import { toRadius } from './look.ts'
import type { ScenePoint, Spot } from './scene.ts'

/** A finger is not as sharp as a pointer, px. */
const REACH_PX = 8

/** How near the map is looked at. */
export interface Nearness {
  readonly zoom: number
  /** Metres of the plane to a pixel. */
  readonly resolution: number
}

/** What is chosen by a click at a spot: of what lies within reach the foremost kind, and of that the nearest. */
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
    // They come by their heights: another kind is one above.
    if (point.kind === found?.kind && awayPx > foundPx) continue
    found = point
    foundPx = awayPx
  }
  return found
}
