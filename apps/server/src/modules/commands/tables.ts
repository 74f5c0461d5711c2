import type { BatchState, CommandPriority, CommandState } from '@isotherm/contract/command'
import type { Generated } from 'kysely'
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
  opening_pct: number
  previous_pct: number | null
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

declare module '../../platform/tables.ts' {
  interface Tables {
    command: CommandTable
    command_event: CommandEventTable
    command_batch: CommandBatchTable
    command_lane: CommandLaneTable
  }
}
