import type { CommandState } from '@isotherm/contract/command'
import type {
  ExerciseLeftOut,
  ExerciseState,
  ExerciseStep,
  ExerciseStop,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import type { Generated, GeneratedAlways } from 'kysely'

/** An exercise of valves; instants are Unix ms. */
export interface ValveExerciseTable {
  id: GeneratedAlways<number>
  /** In whose name its commands are sent, with the present rights of this account. */
  account_id: number | null
  account: string
  reason: string
  state: ExerciseState
  step: ExerciseStep
  /** Batch of the present step; null until it is sent. */
  batch_id: string | null
  stop: ExerciseStop | null
  created_ms: number
  ended_ms: number | null
  version: Generated<number>
}

/** A valve of an exercise. */
export interface ValveExerciseValveTable {
  exercise_id: number
  device_id: number
  /** Measured opening before; null if it was not known. */
  before_pct: number | null
  left_out: ExerciseLeftOut | null
}

/** A step of an exercise that was sent as a batch of commands. */
export interface ValveExerciseBatchTable {
  exercise_id: number
  step: ExerciseStep
  batch_id: string
}

declare module '../../platform/tables.ts' {
  interface Tables {
    valve_exercise: ValveExerciseTable
    valve_exercise_valve: ValveExerciseValveTable
    valve_exercise_batch: ValveExerciseBatchTable
  }
}

/** Command of a step of one valve. */
export interface SentStep {
  readonly openingPct: number
  readonly state: CommandState
  /** When its command reached this state, Unix ms. */
  readonly at: number
}
