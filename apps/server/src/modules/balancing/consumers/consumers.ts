import type { Database } from '../../../platform/postgres/database.pg.ts'
import { createCover, listAbove } from '../../../platform/scope/scope.ts'
import type { FindArea } from '../../network/index.ts'
import { createEmitterFinder } from '../loop/emitter-of.ts'
import { returnOffsetOf } from '../loop/return-offsets.ts'
import { areasOf } from '../plan/members.ts'
import { listEmittersOf, listLoopDevices } from './consumers.pg.ts'

/** A consumer of any loop, with what the indices of returns need. */
export interface Consumer {
  readonly deviceId: number
  /** Path of its node. */
  readonly path: string
  /** Floor area behind it, m²; the mean of its loop if none is recorded (areasOf). */
  readonly areaM2: number
  /** Target offset of its return, K. */
  readonly offsetK: number
}

/**
 * Consumers of all loops at and below paths, by the rules of one loop (toLoop): the nearest station above counts, a
 * valve behind another one is no consumer, nor is one on the station's own node or behind a pump house for irrigation.
 */
export async function listConsumers(
  db: Database,
  paths: readonly string[],
  findArea: FindArea,
): Promise<readonly Consumer[]> {
  const [{ stations, valves }, marks] = await Promise.all([
    listLoopDevices(db, paths),
    listEmittersOf(db, paths),
  ])
  const isStation = new Set(stations.map(({ path }) => path))
  const heating = new Set(stations.flatMap(({ path, isWatering }) => (isWatering ? [] : [path])))
  const withValve = new Set(valves.flatMap(({ path }) => (isStation.has(path) ? [] : [path])))
  const isInside = createCover(paths)
  const findEmitter = createEmitterFinder(
    marks.map((mark) => ({ ...mark, areaM2: findArea(mark.path) ?? 0 })),
  )
  const found = valves.flatMap(({ id, path }) => {
    if (isStation.has(path) || !isInside(path)) return []
    const above = listAbove(path)
    const station = above.findLast((each) => isStation.has(each))
    if (station === undefined || !heating.has(station)) return []
    // A valve above the station is one of another network.
    if (above.some((each) => each.length > station.length && withValve.has(each))) return []
    return [{ id, path, station, areaM2: findArea(path) ?? null }]
  })
  return [...Map.groupBy(found, ({ station }) => station).values()].flatMap((loop) => {
    const areas = areasOf({ consumers: loop })
    return loop.map(({ id, path, areaM2 }, index) => ({
      deviceId: id,
      path,
      areaM2: areas[index] ?? 0,
      offsetK: returnOffsetOf(findEmitter(path, areaM2)),
    }))
  })
}
