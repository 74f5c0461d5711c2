import type { CommandState } from '@isotherm/contract/command'
import type { Generated } from 'kysely'
import type { CommandEvent } from './state-machine.ts'

/** One command; instants are Unix ms. The row is also the job that brings the command to its device. */
export interface CommandTable {
  /** ULID. */
  id: string
  batch_id: string
  device_id: number
  opening_pct: number
  previous_pct: number | null
  state: CommandState
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

declare module '../../platform/tables.ts' {
  interface Tables {
    command: CommandTable
    command_event: CommandEventTable
  }
}
