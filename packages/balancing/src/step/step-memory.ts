import type { HydraulicSnapshot } from '../identify/identify-snapshot.ts'

/**
 * State that one step of a campaign leaves for the next: plain numbers that survive JSON (no snapshot has a NaN).
 * Consumers are identified by their index in the loop, so a memory belongs to one order of them.
 */
export interface StepMemory {
  /** Every operating point that was planned from, oldest first: kg/s, openings 0..1, Pa. */
  readonly snapshots: readonly {
    readonly headPa: number
    readonly flowKgS: readonly number[]
    readonly openings: readonly number[]
  }[]
  /** Consumers with a stuck valve, which later plans leave out. */
  readonly broken: readonly number[]
  /**
   * Consumers with a valve that seems to slip: its stem position is unknown, and it still gets commands.
   */
  readonly suspected: readonly number[]
  /** Consumers with a valve that has followed a command. */
  readonly proven: readonly number[]
}

export const NO_MEMORY: StepMemory = { snapshots: [], broken: [], suspected: [], proven: [] }

export const remember = (
  memory: StepMemory,
  { headPa, flowKgS, openings }: HydraulicSnapshot,
): StepMemory => ({
  ...memory,
  snapshots: [...memory.snapshots, { headPa, flowKgS: [...flowKgS], openings: [...openings] }],
})

export const snapshotsOf = ({ snapshots }: StepMemory): HydraulicSnapshot[] =>
  snapshots.map(({ headPa, flowKgS, openings }) => ({
    headPa,
    flowKgS: Float64Array.from(flowKgS),
    openings: Float64Array.from(openings),
  }))
