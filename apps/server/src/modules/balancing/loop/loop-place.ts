import { isHeatStation } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { ROOT_PATH, scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LiveStates } from '../../telemetry/index.ts'
import {
  listEmitters,
  listPipes,
  listRooms,
  listStations,
  listValves,
  MAX_OF_A_KIND,
  readAncestry,
} from './loop.pg.ts'
import { type Loop, toLoop } from './loop.ts'
import type { Place } from './place.ts'

export interface PlaceNeeds {
  readonly db: Database
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly states: Pick<LiveStates, 'find'>
}

/**
 * Place of a balance of a node: the loop of the nearest station at or above it. A pump house for irrigation has none. Throws node.not-found, balance.no-station.
 */
export async function findPlace({ db, network, states }: PlaceNeeds, node: NodeKey): Promise<Place> {
  const [path = ROOT_PATH] = await network.resolveNodes(scopeOfEverything, [node])
  const ancestry = await readAncestry(db, path)
  const [row] = ancestry
  const station = ancestry.find(({ stationDeviceId }) => stationDeviceId !== null)
  const heats = isHeatStation(states.find(station?.stationDeviceId ?? 0)?.metrics)
  if (row === undefined || station === undefined || !heats)
    throw new AppError('balance.no-station', { node: row?.name ?? node })
  return {
    companyId: row.companyId,
    node,
    nodeName: row.name,
    nodePath: row.path,
    stationNodeId: station.id,
    stationName: station.name,
    stationPath: station.path,
  }
}

/** The largest stations have some hundreds of valves in their units. */
const MAX_CONSUMERS = 2_000

/**
 * The loop of a place. Throws balance.no-station if its station was removed, or if it is above too many devices and
 * above other stations; balance.too-large if it is above too many devices and above no other station.
 */
export async function readLoop(
  db: Database,
  { stationPath, nodeName }: Pick<Place, 'stationPath' | 'nodeName'>,
): Promise<Loop> {
  const [stations, valves, rooms, pipes, emitters] = await Promise.all([
    listStations(db, stationPath),
    listValves(db, stationPath),
    listRooms(db, stationPath),
    listPipes(db, stationPath),
    listEmitters(db, stationPath),
  ])
  const isRead = [valves, rooms, pipes].every(({ length }) => length <= MAX_OF_A_KIND)
  const loop = toLoop(stationPath, { stations, valves, rooms, pipes, emitters })
  if (loop === undefined) throw new AppError('balance.no-station', { node: nodeName })
  if (isRead && loop.consumers.length <= MAX_CONSUMERS) return loop
  if (stations.some(({ path }) => path !== stationPath))
    throw new AppError('balance.no-station', { node: nodeName })
  throw new AppError('balance.too-large', {
    node: nodeName,
    valves: MAX_CONSUMERS,
    records: MAX_OF_A_KIND,
  })
}
