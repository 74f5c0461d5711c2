import { computeIndices } from '@isotherm/balancing/indices/indices'
import type { LoopLosses } from '@isotherm/balancing/indices/loop-losses'
import type { BalanceIndices } from '@isotherm/contract/balancing/campaign'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'

/** Moves and travel in full strokes by consumer, in a number of plant days; 0 days for those of one round. */
export interface Actuation {
  readonly moves: Float64Array
  readonly travel: Float64Array
  readonly days: number
}

/** A state of a loop for its indices; arrays by consumer, NaN if not known. */
export interface IndexedState {
  readonly areaM2: Float64Array
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  /** Target offset of each return from that of radiators (return-offsets.ts), K. */
  readonly offsetK: Float64Array
  readonly flowKgS: Float64Array
  /** Target flow; without one the present total distributed by area. */
  readonly requiredKgS?: Float64Array | undefined
  /** Opening, 0..1. */
  readonly opening: Float64Array
  /** Losses, if there is a model of the loop. */
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

const MIN_OPENING = 0.1

/** Distribution of the present total flow by area, kg/s; consumers without a flow are not counted. */
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
 * Moves of a round, from openings in % before and after it; a valve within `stillPct` of its earlier opening has not
 * moved.
 */
export function actuationOf(beforePct: Float64Array, afterPct: Float64Array, stillPct = 0): Actuation {
  const strokes = beforePct.map((before, index) => {
    const far = Math.abs((afterPct[index] ?? Number.NaN) - before)
    return far > stillPct || Number.isNaN(far) ? far / 100 : 0
  })
  return { moves: strokes.map((far) => (far > 0 ? 1 : far)), travel: strokes, days: 0 }
}

/**
 * Known indices by name (packages/balancing/src/indices/index-meanings.ts). Returns are compared with one common
 * target plus the offset of each consumer. Worked example: loop-indices.test.ts.
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
