import type {
  BatchState,
  CommandKind,
  CommandPriority,
  CommandState,
  HoldEnd,
} from '@isotherm/contract/command'
import type { ScanMethod } from '@isotherm/contract/mqtt'
import type { Generated, GeneratedAlways } from 'kysely'
import type { CommandEvent } from './state-machine.ts'

/** One command; instants are Unix ms. The row is also the job that sends the command to its device. */
export interface CommandTable {
  /** ULID. */
  id: string
  batch_id: string
  device_id: number
  /** Queue: the device whose MQTT client receives it, the concentrator or the valve itself. */
  lane_id: number
  /** Whether that client sleeps and is reachable only right after a report. */
  sleeps: boolean
  kind: Generated<CommandKind>
  /** Valve: requested opening, and the measured opening at the time of the order. */
  opening_pct: number | null
  previous_pct: number | null
  /** Valve: the last opening that it reported after its `done` and that did not confirm the command. */
  shown_pct: Generated<number | null>
  /** When it was measured, Unix ms. */
  shown_ms: Generated<number | null>
  /** The device closes the valve after so many seconds; null: it stays open. */
  max_open_s: Generated<number | null>
  /** Pump: requested head, and the measured head at the time of the order. */
  head_kpa: number | null
  previous_kpa: number | null
  /** Supply temperature: requested offset of the heating curve, and the reported offset at the time of the order. */
  offset_k: number | null
  previous_k: number | null
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
  /** Deadline of the current state; null in a final state. */
  deadline_ms: number | null
  attempts: Generated<number>
  /** Next time to publish; null if it must not be published. */
  next_attempt_ms: number | null
  /** Last attempt to publish; null before the first, and once the device has answered. */
  tried_ms: number | null
  /** Instant of the device's own `done`, by the device's clock. */
  done_ms: number | null
}

/** Events of commands, append only. */
export interface CommandEventTable {
  id: Generated<number>
  command_id: string
  at_ms: number
  event: CommandEvent | 'stored'
  /** State after the event; null if it changed nothing. */
  to_state: CommandState | null
  detail: string
}

/** Commands of one order; instants are Unix ms. */
export interface CommandBatchTable {
  /** ULID. */
  id: string
  /** Account that is notified of the progress; null for an order of the system. */
  account_id: number | null
  actor: string
  reason: string
  priority: CommandPriority
  state: BatchState
  created_ms: number
  paused_ms: number | null
  retry_of: string | null
  /** Path of the lowest common ancestor of its valves at the time of the order. */
  path: string
}

/** Leases on queues: no other replica works on a queue until its lease ends. */
export interface CommandQueueTable {
  id: number
  worker: string
  lease_until_ms: number
}

/** A hold: an override of an opening, a head or an offset until an instant; instants are Unix ms. */
export interface ValveHoldTable {
  id: GeneratedAlways<number>
  device_id: number
  opening_pct: number | null
  head_kpa: number | null
  offset_k: number | null
  /** Property of the device that is held; generated. */
  kind: GeneratedAlways<CommandKind>
  priority: CommandPriority
  /** Account that is notified when the hold ends early. */
  account_id: number | null
  actor: string
  reason: string
  since_ms: number
  until_ms: number
  /** null while the hold is in force. */
  ended_ms: number | null
  ended_why: HoldEnd | null
  ended_by: string | null
  version: Generated<number>
}

/** Limits of commands to the valves below a node; null: no limit. */
export interface ControlLimitTable {
  node_id: number
  min_opening_pct: number | null
  max_step_pct: number | null
  min_total_pct: number | null
  /** Increases from 1 with each change. The row remains when its limits are removed. */
  version: Generated<number>
}

/** Limits of commands to the pump of a station. */
export interface PumpLimitTable {
  id: GeneratedAlways<number>
  device_id: number
  min_head_kpa: number
  max_head_kpa: number
  max_step_kpa: number
  /** Increases from 1 with each change. */
  version: Generated<number>
}

/** Limits of commands to the supply temperature of a station. */
export interface SupplyLimitTable {
  id: GeneratedAlways<number>
  device_id: number
  min_offset_k: number
  max_offset_k: number
  max_step_k: number
  /** Increases from 1 with each change. */
  version: Generated<number>
}

/** A request to a device for its present values. */
export interface ReadRequestTable {
  id: string
  device_id: number
  actor: string
  created_ms: number
  expires_ms: number
  /** False if its gateway was not connected. */
  is_sent: boolean
  /** First reply of the gateway. */
  accepted_ms: number | null
  ended_ms: number | null
  /** Code and text of the last reply. */
  code: number | null
  detail: string | null
}

/** A search of a line of a gateway for devices. */
export interface LineScanTable {
  id: string
  /** The gateway. */
  device_id: number
  line: string
  method: ScanMethod
  actor: string
  created_ms: number
  /** False if the gateway was not connected. */
  is_sent: boolean
  /** Last reply of the gateway. */
  reported_ms: number | null
  /** When a user stopped the search. */
  stop_ms: number | null
  ended_ms: number | null
  /** Code of the last reply. */
  code: number | null
  /** Progress of the search, see `scanProgress` in the contract: questions sent, and questions in total so far. */
  requested: number
  of_all: number
  /** Devices found, and those among them that the gateway knows. */
  found: number
  known: number
  /** Addresses at which several devices answer at once. */
  collisions: number
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    command: CommandTable
    command_event: CommandEventTable
    command_batch: CommandBatchTable
    command_lane: CommandQueueTable
    valve_hold: ValveHoldTable
    control_limit: ControlLimitTable
    pump_limit: PumpLimitTable
    supply_limit: SupplyLimitTable
    read_request: ReadRequestTable
    line_scan: LineScanTable
  }
}
