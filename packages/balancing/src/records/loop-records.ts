import type { ClosingPipe } from '../invert/ring-mains.ts'
import type { LoopModel } from '../loop/loop-model.ts'

/** What is known of a station's loop without having measured anything. Arrays by consumer, which are the loop's circuits. */
export interface LoopRecords {
  readonly loop: LoopModel
  /** How far each pipe's resistance may be off, as ln; where it is not said, all as usual (USUAL_PRIOR). */
  readonly mainsSigma?: Float64Array | undefined
  /** Pipes beside those of the tree, which close rings. */
  readonly closing?: readonly ClosingPipe[] | undefined
  /** n of the emitters: about 1.3 radiators, 1.1 floors. */
  readonly exponent: Float64Array
  readonly areaM2: Float64Array
  readonly designKgS: Float64Array
  /** K of the emitters as recorded, W/K^n. */
  readonly emitter: Float64Array
}

/** Means of one window as they are believed; arrays by consumer, NaN where something is not known. */
export interface SeenLoop {
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly meterKgS: Float64Array
  /** Of one sensor or more in the rooms behind each consumer. */
  readonly roomC: Float64Array
  readonly outdoorC: number
  /** Between supply and return at the station, Pa; the only number that must be known. */
  readonly headPa: number
  readonly totalKgS: number
}

/** How the flows of a loop's consumers are known. */
export type FlowKnowledge = 'metered' | 'temperature-only'
