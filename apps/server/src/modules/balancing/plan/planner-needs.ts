import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { HoldService, PumpService } from '../../commands/index.ts'
import type { Devices } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LiveStates, Telemetry } from '../../telemetry/index.ts'
import type { Exclusions } from '../loop/exclusions.ts'

/** Valves for which campaigns of a station's loop aborted since an instant, Unix ms. */
export type FindCulprits = (stationNodeId: number, since: number) => Promise<Exclusions>

/** Those of these valves that work the wrong way round by their answers to commands. */
export type FindInverted = (deviceIds: readonly number[]) => Promise<ReadonlySet<number>>

/** Dependencies of reading a loop and planning its balance. */
export interface PlannerNeeds {
  readonly db: Database
  /** A client for queries; readings are stored with another one. */
  readonly clickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts'>
  readonly states: Pick<LiveStates, 'find'>
  readonly presence: Pick<Telemetry['presence'], 'find'>
  readonly timeFactor: Telemetry['timeFactor']
  readonly findHoldPriorities: HoldService['findHoldPriorities']
  readonly listSwitchedOff: Devices['listSwitchedOff']
  /** Limits of commands to the pump of a station; without it heads are only advised. */
  readonly findPumpLimits?: PumpService['findLimits']
}
