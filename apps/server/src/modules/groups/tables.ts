import type { ScheduleOutcome, WeeklyOrder } from '@isotherm/contract/endpoints/control/group-schedules'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Weekly schedule of a device group. */
export interface GroupScheduleTable {
  id: GeneratedAlways<number>
  device_group_id: number
  enabled: boolean
  orders: ColumnType<WeeklyOrder[], string, string>
  /** The account that set it last. Its orders are sent with the present rights of this account. */
  account_id: number | null
  account: string
  /** Instant of the next order, Unix ms; null if there is none. */
  next_ms: number | null
  /** Instant of the last due order, Unix ms, with its opening and its outcome. Null before the first one. */
  last_ms: number | null
  last_opening_pct: number | null
  last_outcome: ScheduleOutcome | null
  /** Number of valves that the last order left out, because of a hold or a limit. */
  last_left_out: number | null
  last_batch_id: string | null
  /** From 1, increased with each change by a user. */
  version: Generated<number>
}

declare module '../../platform/tables.ts' {
  interface Tables {
    group_schedule: GroupScheduleTable
  }
}
