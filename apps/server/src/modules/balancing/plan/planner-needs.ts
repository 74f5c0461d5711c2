import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { HoldService, PumpService } from '../../commands/index.ts'
import type { Devices } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LiveStates, Telemetry } from '../../telemetry/index.ts'

/** What reading a loop and planning its balance ask of the rest. */
export interface PlannerNeeds {
  readonly db: Database
  /** Not the one that readings are stored by. */
  readonly clickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts'>
  readonly states: Pick<LiveStates, 'find'>
  readonly presence: Pick<Telemetry['presence'], 'find'>
  readonly timeFactor: Telemetry['timeFactor']
  readonly findHoldPriorities: HoldService['findHoldPriorities']
  readonly listSwitchedOff: Devices['listSwitchedOff']
  /** What the pump of a station may be told; heads are only advised without it. */
  readonly findPumpLimits?: PumpService['findLimits']
}
