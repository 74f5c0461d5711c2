import { createCover, listAbove } from '../../platform/scope.ts'
import type { LoopSensor, LoopValve } from './loop.pg.ts'

/** A consumer of a loop: its valve, the rooms behind it, and by which nodes it hangs on the station. */
export interface LoopConsumer extends LoopValve {
  readonly rooms: readonly LoopSensor[]
  /** Paths of the nodes between the station and the valve's node, the highest first. */
  readonly way: readonly string[]
}

/** The loop of one station as the registry has it. */
export interface Loop {
  readonly station: LoopSensor
  readonly consumers: readonly LoopConsumer[]
}

/**
 * The loop of the station at `stationPath`: valves of other stations below it are in theirs, a valve behind another valve
 * (a household's behind its unit's) is no consumer of the loop, and one on the station's own node is the station's.
 */
export function toLoop(
  stationPath: string,
  given: {
    readonly stations: readonly LoopSensor[]
    readonly valves: readonly LoopValve[]
    readonly rooms: readonly LoopSensor[]
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
  return {
    station,
    consumers: first.map((valve) => ({
      ...valve,
      rooms: roomsOf.get(valve.path) ?? [],
      way: listAbove(valve.path).filter((above) => above.length > stationPath.length),
    })),
  }
}
