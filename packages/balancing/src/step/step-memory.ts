import type { HydraulicSnapshot } from '../identify/identify-snapshot.ts'

/**
 * What one step of a campaign leaves to the next: plain numbers, which come back from JSON as they went (no snapshot has a
 * NaN). Consumers are named by their place in the loop, so that a memory belongs to one order of them.
 */
export interface StepMemory {
  /** Every operating point that was planned from, oldest first: kg/s, openings 0..1, Pa. */
  readonly snapshots: readonly {
    readonly headPa: number
    readonly flowKgS: readonly number[]
    readonly openings: readonly number[]
  }[]
  /** Consumers whose valve was found stuck, which further plans go around. */
  readonly broken: readonly number[]
  /** Those that seem to slip: where such a stem stands is not known, and it goes on being told. */
  readonly suspected: readonly number[]
  /** Those whose valve has been seen to follow. */
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
