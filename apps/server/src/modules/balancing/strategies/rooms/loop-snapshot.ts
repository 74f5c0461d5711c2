import type { TimeConstantOutcome } from '@isotherm/balancing/rooms/time-constant'
import { DOUBTFUL_QUALITY, type MetricName } from '@isotherm/contract/metrics'
import { weightedMean } from '@isotherm/kernel/statistics'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { createCover } from '../../../../platform/scope/scope.ts'
import type { LiveStates } from '../../../telemetry/index.ts'
import { readLoop } from '../../loop/loop-place.ts'
import type { Place } from '../../loop/place.ts'
import type { FindTimeConstant } from './time-constants.ts'

/** Newest readings of a loop without a plan, °C; undefined without a reading. */
export interface LoopSnapshot {
  readonly outdoorC: number | undefined
  /** Mean of the rooms below paths. */
  roomC(paths: readonly string[]): number | undefined
  /** Number of valves below paths. */
  countValves(paths: readonly string[]): number
  /**
   * Time constant of the buildings below paths, from the recent response of their rooms to heat and weather.
   */
  findTimeConstant(paths: readonly string[]): Promise<TimeConstantOutcome>
}

export interface SnapshotNeeds {
  readonly db: Database
  readonly states: Pick<LiveStates, 'find'>
  readonly findTimeConstant: FindTimeConstant
}

/** Throws balance.no-station, balance.too-large. */
export async function readSnapshot(
  { db, states, findTimeConstant }: SnapshotNeeds,
  place: Place,
): Promise<LoopSnapshot> {
  const { station, consumers } = await readLoop(db, place)
  const newest = (deviceId: number, metric: MetricName): number | undefined => {
    const state = states.find(deviceId)
    const isTrusted =
      state !== undefined && state.absence === undefined && (state.quality & DOUBTFUL_QUALITY) === 0
    return isTrusted ? state.metrics[metric] : undefined
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
