import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { treeLevels } from '@isotherm/contract/tree'
import { createCover, listAbove } from '../../../platform/scope/scope.ts'
import { createEmitterFinder } from './emitter-of.ts'
import type { EmitterRecord, LoopPipe, LoopSensor, LoopValve } from './loop.pg.ts'

/** A consumer of a loop: its valve, and the rooms behind it. */
export interface LoopConsumer extends LoopValve {
  readonly rooms: readonly LoopSensor[]
  /** Emitter of most of the floor area behind it. */
  readonly emitter: EmitterKind
}

/** The loop of one station as recorded in the registry. */
export interface Loop {
  readonly station: LoopSensor
  /** Consumers by residential area and building, as pipes are laid. */
  readonly areas: readonly (readonly (readonly LoopConsumer[])[])[]
  /** All consumers in this order. */
  readonly consumers: readonly LoopConsumer[]
  /** Recorded pipes. */
  readonly pipes: readonly LoopPipe[]
}

/** Paths of the area and the building of a consumer; its own node may be one of them. */
export function toStreet({ path, level }: LoopValve): { readonly area: string; readonly building: string } {
  const way = [...listAbove(path), path]
  const building = way.length - 1 - Math.max(0, level - treeLevels.building)
  return {
    area: way[level < treeLevels.building ? building : building - 1] ?? '',
    building: way[building] ?? path,
  }
}

/**
 * The loop of the station at `stationPath`. Valves of another station below it belong to that station; a valve behind
 * another valve (of a household behind that of its unit) is no consumer of the loop; a valve on the station's own
 * node belongs to the station.
 */
export function toLoop(
  stationPath: string,
  given: {
    readonly stations: readonly LoopSensor[]
    readonly valves: readonly LoopValve[]
    readonly rooms: readonly LoopSensor[]
    readonly pipes: readonly LoopPipe[]
    readonly emitters: readonly EmitterRecord[]
  },
): Loop | undefined {
  const station = given.stations.find(({ path }) => path === stationPath)
  if (station === undefined) return undefined
  const isOfOther = createCover(given.stations.flatMap(({ path }) => (path === stationPath ? [] : [path])))
  const own = given.valves.filter(({ path }) => path !== stationPath && !isOfOther(path))
  const withValve = new Set(own.map(({ path }) => path))
  const first = own.filter(({ path }) => !listAbove(path).some((above) => withValve.has(above)))
  const roomsOf = Map.groupBy(given.rooms, ({ path }) =>
    [...listAbove(path), path].find((above) => withValve.has(above)),
  )
  const findEmitter = createEmitterFinder(given.emitters)
  const consumers = first.map((valve) => ({
    ...valve,
    rooms: roomsOf.get(valve.path) ?? [],
    emitter: findEmitter(valve.path, valve.areaM2),
  }))
  const areas = [...Map.groupBy(consumers, (consumer) => toStreet(consumer).area).values()].map((street) => [
    ...Map.groupBy(street, (consumer) => toStreet(consumer).building).values(),
  ])
  return { station, areas, consumers: areas.flat(2), pipes: given.pipes }
}
