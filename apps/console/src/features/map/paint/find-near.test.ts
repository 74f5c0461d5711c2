import { describe, expect, test } from 'vitest'
import { findNear } from './find-near.ts'
import { toScene } from './scene.ts'
import type { DrawnPoint } from './to-drawn.ts'

/** At zoom 14 the radius of a place is 5 px, of a station 11 px; clicks reach 8 px further. */
const nearness = { zoom: 14, resolution: 5 }
const METRES_TO_PX = 5

const toPoint = (kind: DrawnPoint['kind'], key: string, longitudeDeg: number): DrawnPoint => ({
  kind,
  key,
  at: [longitudeDeg, 0],
  health: 'good',
  text: key,
  count: 1,
})
/** Degrees at the equator for a number of pixels. */
const toDegrees = (px: number) => (px * METRES_TO_PX * 360) / 40_075_016.685_578_49

const find = (points: readonly DrawnPoint[], px: number) =>
  findNear(toScene({ pipes: [], points }).points, { x: px * METRES_TO_PX, y: 0 }, nearness)?.key

describe('a click', () => {
  test('hits a point and up to 8 px around it', () => {
    const alone = [toPoint('place', 'a', 0)]
    expect(find(alone, 12.9)).toBe('a')
    expect(find(alone, 13.1)).toBeUndefined()
    expect(find([toPoint('station', 's', 0)], 18.9)).toBe('s')
  })

  test('between two places finds the nearer one, in any order of the list', () => {
    const two = [toPoint('place', 'a', 0), toPoint('place', 'b', toDegrees(10))]
    for (const points of [two, two.toReversed()]) {
      expect(find(points, 4)).toBe('a')
      expect(find(points, 6)).toBe('b')
    }
  })

  test('prefers a station to a cluster and a cluster to a place, even if those are nearer', () => {
    const station = toPoint('station', 's', toDegrees(9))
    const cluster = toPoint('cluster', 'c', toDegrees(5))
    const place = toPoint('place', 'p', 0)
    expect(find([station, cluster, place], 0)).toBe('s')
    expect(find([cluster, place], 0)).toBe('c')
  })
})
