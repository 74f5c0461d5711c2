import { computeIndices } from '@isotherm/balancing/indices/indices'
import type { LoopLosses } from '@isotherm/balancing/indices/loop-losses'
import type { BalanceIndices } from '@isotherm/contract/balancing/campaign'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'

/** Valve moves by consumer: their number, and their travel in full strokes. `days`: plant days they are counted over; 0 for one round. */
export interface Actuation {
  readonly moves: Float64Array
  readonly travel: Float64Array
  readonly days: number
}

/** State of a loop from which its indices are computed. Arrays have one value per consumer, NaN if it is not known. */
export interface IndexedState {
  readonly areaM2: Float64Array
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  /** How far the target of each return is above the target of a return from radiators (return-offsets.ts), K. */
  readonly offsetK: Float64Array
  readonly flowKgS: Float64Array
  /** Target flow, kg/s. If absent, it is the share of the present total flow by area (`byArea`). */
  readonly requiredKgS?: Float64Array | undefined
  /** Opening, 0..1. */
  readonly opening: Float64Array
  /** Pressure losses; present if there is a model of the loop. */
  readonly losses?: LoopLosses | undefined
  readonly actuation?: Actuation | undefined
  readonly isExcluded: Uint8Array
  /** Temperatures of all measured rooms. */
  readonly roomC: readonly number[]
  readonly outdoorC: number
  readonly headPa: number
  readonly pumpW: number
  readonly stationSupplyC: number
  readonly stationReturnC: number
}

/** A valve at or below this opening counts as at its limit. */
const MIN_OPENING = 0.1

/** Share of each consumer in the present total flow, in proportion to its area, kg/s. The total has only consumers with a known flow. */
export function byArea(areaM2: Float64Array, flowKgS: Float64Array): Float64Array {
  let flow = 0
  let area = 0
  flowKgS.forEach((value, index) => {
    if (Number.isNaN(value)) return
    flow += value
    area += areaM2[index] ?? 0
  })
  return areaM2.map((value) => (area > 0 ? (value * flow) / area : Number.NaN))
}

/**
 * Valve moves of one round, from the openings before and after it in %. A valve whose opening changed by at most
 * `stillPct` has not moved.
 */
export function actuationOf(beforePct: Float64Array, afterPct: Float64Array, stillPct = 0): Actuation {
  const strokes = beforePct.map((before, index) => {
    const travelPct = Math.abs((afterPct[index] ?? Number.NaN) - before)
    return travelPct > stillPct || Number.isNaN(travelPct) ? travelPct / 100 : 0
  })
  return { moves: strokes.map((stroke) => (stroke > 0 ? 1 : stroke)), travel: strokes, days: 0 }
}

/**
 * Indices by name (packages/balancing/src/indices/index-meanings.ts), without those that are not known. Each return is
 * compared with one common target plus the offset of its consumer. Worked example: loop-indices.test.ts.
 */
export function toIndices(state: IndexedState): BalanceIndices {
  const { areaM2, supplyC, returnC, flowKgS } = state
  const unknown = new Float64Array(areaM2.length).fill(Number.NaN)
  const found = computeIndices({
    areaM2,
    returnC,
    supplyC,
    flowKgS,
    opening: state.opening,
    isExcluded: state.isExcluded,
    targetReturnC: state.offsetK,
    requiredKgS: state.requiredKgS ?? byArea(areaM2, flowKgS),
    heatW: flowKgS.map(
      (flow, index) =>
        WATER_HEAT_CAPACITY * flow * ((supplyC[index] ?? Number.NaN) - (returnC[index] ?? Number.NaN)),
    ),
    minOpening: MIN_OPENING,
    ...(state.losses ?? { pathPa: unknown, loopPa: unknown }),
    ...(state.actuation ?? { moves: unknown, travel: unknown, days: 0 }),
    roomC: Float64Array.from(state.roomC),
    outdoorC: state.outdoorC,
    station: {
      headPa: state.headPa,
      pumpW: state.pumpW,
      supplyC: state.stationSupplyC,
      returnC: state.stationReturnC,
    },
  })
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) =>
      value === undefined || !Number.isFinite(value) ? [] : [[name, value] as const],
    ),
  )
}
