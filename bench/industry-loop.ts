import { stepProportional } from '@isotherm/balancing/proportional/proportional'

/** Tuning of the proportional loop that is common in the industry. */
export interface IndustryTuning {
  /** Time between two corrections, s. */
  readonly periodS: number
  /** Opening (0..1) per kelvin of deviation. */
  readonly gain: number
}

/** 10 % of opening per kelvin, every 12 hours. */
export const usualTuning: IndustryTuning = { periodS: 12 * 3600, gain: 0.1 }

/** Return temperatures, °C (NaN without a reading), areas, m², and openings, 0..1, by valve. */
export interface IndustryRequest {
  readonly returnC: Float64Array
  readonly areaM2: Float64Array
  readonly openings: Float64Array
}

/**
 * One correction of the industry's loop: each valve closes or opens by its return's deviation from the mean by area.
 * Dead band 0.5 K; at most 10 % at once; never below 10 %; whole percents. Returns new openings and the moved valves.
 */
export function stepIndustryLoop({ returnC, areaM2, openings }: IndustryRequest, gain: number) {
  const count = openings.length
  return stepProportional({
    returnC,
    areaM2,
    openings,
    offsetK: new Float64Array(count),
    gain: new Float64Array(count).fill(gain),
    deadBandK: 0.5,
    maxStep: 0.1,
    minOpening: 0.1,
    step: 0.01,
  })
}
