import { AppError } from '../../../../platform/app-error.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { LiveStates } from '../../../telemetry/index.ts'
import { findHeadPa } from '../../measurements/newest.ts'

/** The supply of a station. */
export interface SupplyStation {
  /** Controller of the station. */
  readonly deviceId: number
  /** Offset that the controller reports, K; undefined if it accepts none or does not report. */
  readonly offsetK: number | undefined
  /** Head that the controller holds, or the measured one, kPa; undefined if it accepts none or does not report. */
  readonly headKpa: number | undefined
  /** Measured head, kPa: the largest change of a command counts from it. Undefined if it is not measured. */
  readonly measuredKpa: number | undefined
  /** Whether the controller reports at all. */
  readonly isPresent: boolean
}

/** What a controller reports. */
export function showStation(states: Pick<LiveStates, 'find'>, deviceId: number): SupplyStation {
  const shown = states.find(deviceId)
  if (shown === undefined || shown.absence !== undefined)
    return { deviceId, offsetK: undefined, headKpa: undefined, measuredKpa: undefined, isPresent: false }
  const { 'supply.offset': offsetK, 'pump.target': targetKpa } = shown.metrics
  // At a fixed speed the target is 0.
  const headKpa = targetKpa === 0 ? findHeadPa(shown) / 1000 : targetKpa
  // Doubtful readings count here, as they do for commands.
  const {
    'pressure.supply': supplyKpa,
    'pressure.return': returnKpa,
    'pressure.diff': diffKpa,
  } = shown.metrics
  const measuredKpa = supplyKpa === undefined || returnKpa === undefined ? diffKpa : supplyKpa - returnKpa
  return {
    deviceId,
    offsetK,
    headKpa: Number.isNaN(headKpa) ? undefined : headKpa,
    measuredKpa,
    isPresent: true,
  }
}

export interface StationAddress {
  readonly stationNodeId: number
  readonly stationName: string
}

/**
 * Reads the station at a node, without its loop and its rooms. Throws balance.no-station if it has no controller in use.
 */
export async function readSupplyStation(
  { db, states }: { readonly db: Database; readonly states: Pick<LiveStates, 'find'> },
  { stationNodeId, stationName }: StationAddress,
): Promise<SupplyStation> {
  const station = await db
    .selectFrom('device')
    .where('node_id', '=', stationNodeId)
    .where('kind', '=', 'station')
    .where('retired_at', 'is', null)
    .orderBy('id')
    .select('id')
    .executeTakeFirst()
  if (!station) throw new AppError('balance.no-station', { node: stationName })
  return showStation(states, station.id)
}
