import type {
  IrrigationConflict,
  IrrigationGroupSettings,
  IrrigationPlan,
  IrrigationSourceSettings,
} from '@isotherm/contract/irrigation'
import type { MasterState } from '@isotherm/irrigation/run/master'
import type { RunState, StepState } from '@isotherm/irrigation/run/run-machine'
import type { FlowExpectation } from '@isotherm/irrigation/watch/expectation'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** A value that is stored as JSON. */
type Json<Value> = ColumnType<Value, string, string>

export type HaltReason = 'dry-run' | 'master'

/** A source of water. Instants are Unix ms. */
export interface IrrigationSourceTable {
  id: GeneratedAlways<number>
  node_id: number
  settings: Json<IrrigationSourceSettings>
  paused_until_ms: number | null
  pause_reason: Generated<string>
  /** Runs that are due before it have been planned. */
  planned_ms: number
  /** Replica that works on the source, until its lease ends. */
  worker: string | null
  lease_until_ms: Generated<number>
  /** When a server last watched its runs. */
  seen_ms: Generated<number>
  /**
   * `leak_since_ms`, `leak_seen_ms`: first and newest reading of a flow although nothing is open. `leak_ms`: when it had lasted long enough;
   * null once somebody has released the leak.
   */
  leak_since_ms: number | null
  leak_seen_ms: number | null
  leak_ms: number | null
  leak_m3_h: number | null
  /**
   * `dry_since_ms`: first reading of a running pump without flow. `low_since_ms`: first one of too low a pressure before it.
   * `dry_seen_ms`, `low_seen_ms`: the newest ones.
   * `halted_ms`, `halted_for`: when the source was stopped, and why, until somebody releases it.
   */
  dry_since_ms: number | null
  dry_seen_ms: number | null
  low_since_ms: number | null
  low_seen_ms: number | null
  halted_ms: number | null
  halted_for: HaltReason | null
  master_state: Generated<MasterState>
  master_opened_ms: number | null
  master_sent_ms: number | null
  /** When its last command was refused; null if it was sent. */
  master_refused_ms: number | null
  /** Since when nothing needs the master valve. */
  master_free_ms: number | null
  master_batch: string | null
  master_tries: Generated<number>
  /** From then on a replica looks at what its valves reported. */
  look_ms: Generated<number>
  version: Generated<number>
}

export interface IrrigationGroupTable {
  id: GeneratedAlways<number>
  source_id: number
  settings: Json<IrrigationGroupSettings>
  version: Generated<number>
}

export interface IrrigationProgramTable {
  id: GeneratedAlways<number>
  source_id: number
  settings: Json<{ readonly name: string; readonly enabled: boolean; readonly plan: IrrigationPlan }>
  /** Who set it last: it runs with the present rights of this account. */
  account_id: number | null
  account: string
  version: Generated<number>
}

/** One start of a program, or a single timed run. */
export interface IrrigationRunTable {
  id: GeneratedAlways<number>
  source_id: number
  program_id: number | null
  name: string
  state: RunState
  together: boolean
  due_ms: number
  began_ms: number
  ended_ms: number | null
  /** The protection that paused it. */
  paused_for: HaltReason | null
  adjust_pct: number
  conflicts: Json<IrrigationConflict[]>
  planned_m3: number
  /** No run of this system: the valves reported it. */
  is_observed: Generated<boolean>
  account_id: number | null
  account: string
}

/** An opening of a step that was interrupted, with its own water. */
export interface EarlierOpening {
  readonly openedMs: number
  readonly volumeM3: number
  readonly measuredM3: number
}

/** A step of a run: valves that open and close together. */
export interface IrrigationStepTable {
  id: GeneratedAlways<number>
  run_id: number
  seq: number
  group_id: number
  valve_ids: number[]
  flow_m3_h: number
  /** Longest time of its valves at a stretch, s. */
  max_s: number
  planned_ms: number
  planned_s: number
  /** Water time that is left, s. */
  duration_s: number
  delay_s: number
  soak_s: number
  state: Generated<StepState>
  opened_ms: number | null
  /** When it was opened before it was interrupted; `opened_ms` is the last time. */
  first_opened_ms?: number | null
  /** Openings before the last, each with its water: it counts for the day of its opening. */
  earlier: ColumnType<readonly EarlierOpening[], string | undefined, string>
  close_due_ms: number | null
  closed_ms: number | null
  open_batch: string | null
  close_batch: string | null
  close_tries: Generated<number>
  /** When the last close was sent. */
  close_sent_ms: number | null
  volume_m3: Generated<number>
  /** Until when the volume is counted. */
  metered_ms: number | null
  /** Time and water with all valves confirmed open: their quotient is the flow of the step. */
  metered_s: Generated<number>
  metered_m3: Generated<number>
  /** Part of the volume that meters counted. */
  measured_m3: Generated<number>
  /** Whether nothing else of its source was open while it was measured. */
  is_alone: Generated<boolean>
  /** Water that left the pump and reached no valve, in the measured time. */
  lost_m3: Generated<number>
  lost_s: Generated<number>
  expected: Json<FlowExpectation> | null
  finding: string | null
}

/** How far the readings of a valve have been looked at. */
export interface IrrigationLookTable {
  device_id: number
  /** The group that its water counted for. */
  group_id: number
  /** Readings that were stored before have been looked at, Unix s by the clock of their store. */
  observed_s: number
}

declare module '../../platform/tables.ts' {
  interface Tables {
    irrigation_source: IrrigationSourceTable
    irrigation_group: IrrigationGroupTable
    irrigation_program: IrrigationProgramTable
    irrigation_run: IrrigationRunTable
    irrigation_step: IrrigationStepTable
    irrigation_look: IrrigationLookTable
  }
}
