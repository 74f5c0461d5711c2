import { approachS } from '../loop/approach-resistance.ts'
import type { LoopFlows } from '../loop/loop-flows.ts'
import { type LoopModel, valveS } from '../loop/loop-model.ts'
import type { LoopReadings } from '../records/loop-records.ts'
import { ASSUMED_ROOM_C } from '../rooms/room-gate.ts'
import { gainFor, returnSensitivity } from './proportional.ts'

/** A loop in which each valve is controlled by its own return temperature; arrays by consumer. */
export interface ValveReadings {
  readonly readings: LoopReadings
  /** Estimated stem openings, 0..1. */
  readonly openings: Float64Array
  /** Exponent n of the emitters. */
  readonly exponent: Float64Array
}

/** Lower limits of authority and temperature differences, so that no gain grows without bounds. */
const MIN_AUTHORITY = 0.05
const MIN_K = 1
/** Rangeability assumed for valves with another characteristic. */
const USUAL_RANGEABILITY = 40

/**
 * Change of opening for each kelvin of error that removes `share` of it, from the valve's share of the loss of its
 * circuit at the present opening.
 */
export function scheduleGains(
  model: LoopModel,
  flows: LoopFlows,
  { openings, readings, exponent }: ValveReadings,
  share: number,
): Float64Array {
  const approach = approachS(model, flows)
  return openings.map((opening, i) => {
    const valve = model.valves[i]
    const [supply, back] = [readings.supplyC[i] ?? Number.NaN, readings.returnC[i] ?? Number.NaN]
    const own = valveS(model, i, opening)
    const authority = own / (own + (approach[i] ?? 0) + (model.network.circuitResistance[i] ?? 0))
    const dropK = Math.max(MIN_K, supply - back)
    const excessK = Math.max(MIN_K, (supply + back) / 2 - ASSUMED_ROOM_C)
    return gainFor(
      {
        authority: Math.max(MIN_AUTHORITY, authority),
        rangeability: valve?.kind === 'equal-percentage' ? valve.rangeability : USUAL_RANGEABILITY,
        sensitivityK: returnSensitivity(dropK, excessK, exponent[i] ?? 1),
      },
      share,
    )
  })
}
