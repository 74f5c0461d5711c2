import type { TimeConstantOutcome } from '@isotherm/balancing/rooms/time-constant'
import { DOUBTFUL_QUALITY, type MetricName } from '@isotherm/contract/metrics'
import { weightedMean } from '@isotherm/kernel/statistics'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { createCover } from '../../../../platform/scope/scope.ts'
import type { LiveStates } from '../../../telemetry/index.ts'
import { readLoop } from '../../loop/loop-place.ts'
import type { Place } from '../../loop/place.ts'
import type { FindTimeConstant } from './time-constants.ts'

/** What is seen of a loop without planning anything, from its newest readings, °C; undefined where nobody measures. */
export interface LoopSight {
  readonly outdoorC: number | undefined
  /** Mean of the rooms below paths. */
  roomC(paths: readonly string[]): number | undefined
  /** Valves below paths. */
  countValves(paths: readonly string[]): number
  /** Of the buildings below paths, by how their rooms answered heat and weather lately. */
  findTimeConstant(paths: readonly string[]): Promise<TimeConstantOutcome>
}

export interface SightNeeds {
  readonly db: Database
  readonly states: Pick<LiveStates, 'find'>
  readonly findTimeConstant: FindTimeConstant
}

/** Throws balance.no-station, balance.too-large. */
export async function readSight(
  { db, states, findTimeConstant }: SightNeeds,
  place: Place,
): Promise<LoopSight> {
  const { station, consumers } = await readLoop(db, place)
  const newest = (deviceId: number, metric: MetricName): number | undefined => {
    const state = states.find(deviceId)
    const isBelieved =
      state !== undefined && state.absence === undefined && (state.quality & DOUBTFUL_QUALITY) === 0
    return isBelieved ? state.metrics[metric] : undefined
  }
  const below = (paths: readonly string[]) => {
    const isBelow = createCover(paths)
    return consumers.filter(({ path }) => isBelow(path))
  }
  return {
    outdoorC: newest(station.deviceId, 'temp.outdoor'),
    roomC: (paths) =>
      weightedMean(
        below(paths).flatMap(({ rooms }) =>
          rooms.map(({ deviceId }) => newest(deviceId, 'temp.room') ?? Number.NaN),
        ),
      ),
    countValves: (paths) => below(paths).length,
    findTimeConstant: (paths) => findTimeConstant({ station, consumers: below(paths) }),
  }
}
