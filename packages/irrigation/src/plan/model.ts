import type { Position } from '../weather/sun.ts'

/** A valve of a group. */
export interface ValveSpec {
  readonly id: number
  /** Flow of its sprinklers or drippers, m³/h. */
  readonly flowM3H: number
  /** Longest time that it may be open at a stretch, s; the device enforces it. */
  readonly maxS: number
}

/** Valves that are watered together (parallel) or one after the other (sequential). */
export interface GroupSpec {
  readonly id: number
  readonly mode: 'sequential' | 'parallel'
  readonly valves: readonly ValveSpec[]
  /** Measured soil moisture, % of volume, from which on the group needs no water. */
  readonly wetPct?: number | undefined
}

/** A pump house or a connection to a main: what its groups share. */
export interface SourceSpec {
  /** Flow that may be taken at once, m³/h. */
  readonly capacityM3H: number
  /** Water that may be taken per local day, m³; absent: no limit. */
  readonly dailyBudgetM3?: number | undefined
  /** Pump and master valve open this long before the first valve, s. */
  readonly leadS: number
  /** Pause between two groups, s. */
  readonly groupDelayS: number
}

/** Start of a program on a day: a local time, minutes after midnight, or minutes after (before, if negative) the sun. */
export type StartSpec =
  | { readonly kind: 'time'; readonly minute: number }
  | { readonly kind: 'sunrise' | 'sunset'; readonly offsetMin: number }

/** Days of a program. Weekdays: 0 is Monday. `every`: each n-th day, counted from a local day (days since 1970-01-01). */
export type DaysSpec =
  | { readonly kind: 'weekdays'; readonly days: readonly number[] }
  | { readonly kind: 'every'; readonly n: number; readonly from: number }
  | { readonly kind: 'odd' }
  | { readonly kind: 'even' }

export interface ProgramSpec {
  readonly id: number
  readonly days: DaysSpec
  readonly starts: readonly StartSpec[]
  /** Groups in their order, with the run time of each valve, s. */
  readonly entries: readonly { readonly groupId: number; readonly runS: number }[]
  /** Longest time of a valve at a stretch, s, and the soak before it goes on, s; absent: no cycles. */
  readonly cycle?: { readonly maxS: number; readonly soakS: number } | undefined
  /** Seasonal adjustment of all run times, 10 to 200 %. */
  readonly seasonalPct: number
  /** Reference evapotranspiration for which the run times are right, mm/day; absent: no adjustment by weather. */
  readonly designEtMm?: number | undefined
  /** Whether groups may run at the same time, as far as the capacity of the source allows. */
  readonly together: boolean
}

/** Weather since a program's last run. */
export interface Demand {
  /** Sum of reference evapotranspiration and of rain, mm, over a number of days. */
  readonly etMm: number
  readonly rainMm: number
  readonly days: number
}

/** What is known of the field when a plan is made. */
export interface Conditions {
  /** Weather of the last days; absent: not measured, no adjustment. */
  readonly demand?: Demand | undefined
  /** Soil moisture by group, % of volume. */
  readonly moisturePct: ReadonlyMap<number, number>
  /** No run starts before this instant: rain delay or pause, Unix ms. */
  readonly pausedUntil?: number | undefined
  /** Water flows although nothing is open, and the source does not start programs meanwhile. */
  readonly isLeaking?: boolean | undefined
  /** A protection has stopped the source. */
  readonly isHalted?: boolean | undefined
}

/** Local time of the field. A local time is the Unix ms of a UTC clock that shows the same digits. */
export interface LocalClock {
  toLocal(ms: number): number
  /** The first instant of a local time that occurs twice; a skipped one is counted on from the time before. */
  toInstant(localMs: number): number
}

export interface Field {
  readonly source: SourceSpec
  readonly groups: readonly GroupSpec[]
  readonly clock: LocalClock
  readonly position?: Position | undefined
}

/** Valves that are opened and closed together. */
export interface PlannedStep {
  readonly groupId: number
  readonly valveIds: readonly number[]
  readonly flowM3H: number
  /** Unix ms. */
  readonly startMs: number
  readonly durationS: number
  /** Pause after the previous group, s; 0 within a group. */
  readonly delayS: number
  /** Soak after the previous cycle of the same valves, s; 0 in the first cycle. */
  readonly soakS: number
}

/** Why a run, or a part of it, is not as the program says. */
export type PlanConflict =
  | { readonly kind: 'paused' | 'rain' | 'leak' | 'halted' }
  /** It has more parts than a run can have: the last are left out. */
  | { readonly kind: 'parts' }
  | { readonly kind: 'moist'; readonly groupId: number }
  /** Other runs use the source: the run starts later. */
  | { readonly kind: 'queued'; readonly delayS: number }
  /** The water of the day does not suffice. */
  | { readonly kind: 'budget'; readonly groupId: number; readonly missingM3: number }
  /** One valve takes more than the source delivers. */
  | { readonly kind: 'capacity'; readonly valveId: number }

export interface PlannedRun {
  readonly programId: number
  /** Start by the program, Unix ms. */
  readonly dueMs: number
  /** Begin and end of the watering; both `dueMs` if nothing runs. */
  readonly startMs: number
  readonly endMs: number
  /** Share of the run times after all adjustments, %. */
  readonly adjustPct: number
  readonly steps: readonly PlannedStep[]
  readonly conflicts: readonly PlanConflict[]
  readonly volumeM3: number
}
