import { weightedDeviation } from '@isotherm/kernel/statistics'
import { FLATS_PER_BUILDING } from './build-flats.ts'
import type { Plant } from './plant.ts'

/** Legal minimum of a room, °C. */
export const LEGAL_C = 18
/** Difference between the target returns of floors and of radiators, K. */
const FLOOR_K = -1

/** The true state of a plant after a step; arrays by building, °C. */
export interface TrueState {
  /** Return of each building, minus the offset of floors. */
  readonly returnC: Float64Array
  /** Area-weighted mean of its rooms. */
  readonly roomC: Float64Array
  /** Number of flats below 18 °C. */
  readonly cold: number
}

export function trueState({ spec, temps, returnC }: Plant): TrueState {
  let cold = 0
  for (const air of temps.airC) if (air < LEGAL_C) cold++
  return {
    cold,
    returnC: returnC.map(
      (value, index) => value - (spec.buildings[index]?.emitter === 'floor' ? FLOOR_K : 0),
    ),
    roomC: Float64Array.from(spec.buildings, ({ areaM2 }, building) => {
      let heated = 0
      for (let flat = building * FLATS_PER_BUILDING; flat < (building + 1) * FLATS_PER_BUILDING; flat++)
        heated += (spec.flats.areaM2[flat] ?? 0) * (temps.airC[flat] ?? 0)
      return heated / areaM2
    }),
  }
}

/** Means of the truth over some time. */
export interface Truth {
  /** Area-weighted spread of the mean returns, and of the mean rooms, of buildings, K. */
  readonly sigmaReturnK: number
  readonly sigmaRoomK: number
  /** Mean number of flats below 18 °C. */
  readonly cold: number
}

/** The mean truth of a series of states; spreads without some buildings. */
export function meanTruth(
  { spec }: Pick<Plant, 'spec'>,
  states: readonly TrueState[],
  without: ReadonlySet<number> = new Set(),
): Truth {
  const areaM2 = Float64Array.from(spec.buildings, (building, index) =>
    without.has(index) ? 0 : building.areaM2,
  )
  const meanOf = (read: (state: TrueState) => Float64Array): Float64Array => {
    const total = new Float64Array(areaM2.length)
    for (const state of states)
      for (const [i, value] of read(state).entries()) total[i] = (total[i] ?? 0) + value
    return total.map((value) => value / Math.max(1, states.length))
  }
  return {
    sigmaReturnK:
      weightedDeviation(
        meanOf(({ returnC }) => returnC),
        areaM2,
      ) ?? Number.NaN,
    sigmaRoomK:
      weightedDeviation(
        meanOf(({ roomC }) => roomC),
        areaM2,
      ) ?? Number.NaN,
    cold: states.reduce((sum, { cold }) => sum + cold, 0) / Math.max(1, states.length),
  }
}
