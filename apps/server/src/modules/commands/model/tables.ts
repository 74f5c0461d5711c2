import type {
  BatchState,
  CommandKind,
  CommandPriority,
  CommandState,
  HoldEnd,
} from '@isotherm/contract/command'
import type { Generated, GeneratedAlways } from 'kysely'
import type { CommandEvent } from './state-machine.ts'

/** One command; instants are Unix ms. The row is also the job that brings the command to its device. */
export interface CommandTable {
  /** ULID. */
  id: string
  batch_id: string
  device_id: number
  /** Device whose MQTT client it goes through: the concentrator or the valve itself. */
  lane_id: number
  /** Whether that client sleeps between its reports and is reached only right after one. */
  sleeps: boolean
  kind: Generated<CommandKind>
  /** Of a valve: what is asked, and what was measured when it was. */
  opening_pct: number | null
  previous_pct: number | null
  /** The same of a pump. */
  head_kpa: number | null
  previous_kpa: number | null
  state: CommandState
  priority: CommandPriority
  /** Rises with each command to the device. */
  rev: number
  result_code: Generated<number>
  actor: string
  reason: string
  created_ms: number
  updated_ms: number
  expires_ms: number
  /** When its present state's time is up; null once it is final. */
  deadline_ms: number | null
  attempts: Generated<number>
  /** When it is due to be published; null when it is not. */
  next_attempt_ms: number | null
  /** When it was last taken to be published; null before, and once the device has answered. */
  tried_ms: number | null
  /** Instant of the device's own `done`, by the device's clock. */
  done_ms: number | null
}

/** What happened to a command, append only. */
export interface CommandEventTable {
  id: Generated<number>
  command_id: string
  at_ms: number
  event: CommandEvent | 'stored'
  /** State it led to; null when it changed nothing. */
  to_state: CommandState | null
  detail: string
}

/** Commands given together; instants are Unix ms. */
export interface CommandBatchTable {
  /** ULID. */
  id: string
  /** Who is told of its progress; null for what the system gave by itself. */
  account_id: number | null
  actor: string
  reason: string
  priority: CommandPriority
  state: BatchState
  created_ms: number
  paused_ms: number | null
  retry_of: string | null
  /** Of the lowest node below which all of its valves were when it was given. */
  path: string
}

/** The lanes some replica works on: no other does until the lease has run out. */
export interface CommandLaneTable {
  id: number
  worker: string
  lease_until_ms: number
}

/** An opening or a head that stands until an instant; instants are Unix ms. */
export interface ValveHoldTable {
  id: GeneratedAlways<number>
  device_id: number
  opening_pct: number | null
  head_kpa: number | null
  priority: CommandPriority
  /** Who is told when it ends before its time. */
  account_id: number | null
  actor: string
  reason: string
  since_ms: number
  until_ms: number
  /** null while it stands. */
  ended_ms: number | null
  ended_why: HoldEnd | null
  ended_by: string | null
  version: Generated<number>
}

/** What commands may ask of the valves below a node; null is no limit. */
export interface ControlLimitTable {
  node_id: number
  min_opening_pct: number | null
  max_step_pct: number | null
  min_total_pct: number | null
  /** From 1, with each change; a row stays when its limits are taken away. */
  version: Generated<number>
}

/** What the pump of a station may be told. */
export interface PumpLimitTable {
  id: GeneratedAlways<number>
  device_id: number
  min_head_kpa: number
  max_head_kpa: number
  max_step_kpa: number
  /** From 1, with each change. */
  version: Generated<number>
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    command: CommandTable
    command_event: CommandEventTable
    command_batch: CommandBatchTable
    command_lane: CommandLaneTable
    valve_hold: ValveHoldTable
    control_limit: ControlLimitTable
    pump_limit: PumpLimitTable
  }
}
