import type { ClosingPipe } from '../invert/ring-mains.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { AreaSource } from './estimate-areas.ts'

/** What is not recorded but assumed: 1 for such a consumer. Arrays by consumer. */
export interface AssumedRecords {
  readonly areas: Uint8Array
  /** Kvs of valves. */
  readonly plates: Uint8Array
  /** Pipes from the station to the building. */
  readonly pipes: Uint8Array
  /** Whether no pressure shows the loss of the station's exchanger. */
  readonly pressures?: boolean
}

/** Where the shape of a valve's curve comes from: people stated it, its name plate names it, or the usual one is assumed. */
export type CurveSource = 'stated' | 'plate' | 'assumed'

/**
 * Records of a station's loop before any measurement. Arrays by consumer; the consumers are the circuits of the loop.
 */
export interface LoopRecords {
  readonly loop: LoopModel
  /**
   * Uncertainty of each pipe's resistance, standard deviation of its logarithm; without it the usual one
   * (USUAL_PRIOR).
   */
  readonly mainsSigma?: Float64Array | undefined
  /** Pipes in addition to the tree that close rings. */
  readonly closing?: readonly ClosingPipe[] | undefined
  /** Exponent n of the emitters: about 1.3 for radiators, 1.1 for floors. */
  readonly exponent: Float64Array
  readonly areaM2: Float64Array
  /** Where each area comes from, and the standard deviation of its logarithm; without them all are recorded. */
  readonly areaSource?: readonly AreaSource[] | undefined
  readonly areaSigma?: Float64Array | undefined
  readonly designKgS: Float64Array
  /** Recorded coefficient K of the emitters, W/K^n. */
  readonly emitter: Float64Array
  /** Where the curve of each valve comes from; without it all count as stated. */
  readonly curves?: readonly CurveSource[] | undefined
  /** Without it everything is recorded. */
  readonly assumed?: AssumedRecords | undefined
}

/** What is measured of a loop: trusted means of one time window. Arrays by consumer, NaN if not known. */
export interface LoopReadings {
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly meterKgS: Float64Array
  /** Mean of one or more sensors in the rooms of each consumer. */
  readonly roomC: Float64Array
  readonly outdoorC: number
  /** Head between supply and return at the station, Pa; the only value that must be known. */
  readonly headPa: number
  readonly totalKgS: number
  /** Supply and return temperature at the station, °C. */
  readonly stationSupplyC?: number | undefined
  readonly stationReturnC?: number | undefined
  /** 1 while the rooms of a consumer change (rooms/room-rest.ts): its heat is no measure of its envelope then. */
  readonly roomsMove?: Uint8Array | undefined
}

/** Where the flows of consumers come from. */
export type FlowKnowledge = 'metered' | 'temperature-only'
