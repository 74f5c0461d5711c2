import { type Random, sampleNormal } from '@isotherm/kernel/random'
import { weightedMean } from '@isotherm/kernel/statistics'
import type { LoopReadings } from '../records/loop-records.ts'
import { ASSUMED_ROOM_C } from '../rooms/room-gate.ts'

/** What the weather does between a plan and the measurement of its result. */
export interface WeatherChange {
  /** Expected change of the supply temperature, K. */
  readonly supplyK: number
  /** Standard deviation of the change of the outdoor temperature beyond that, K. */
  readonly outdoorSigmaK: number
}

/**
 * The change if the time of the day is unknown: A·√(1 − cos(2π·t/24 h)) with A 5 K, half of a usual daily
 * range in northern China, and t 4 to 5 h of waves and settling.
 */
export const USUAL_CHANGE: WeatherChange = { supplyK: 0, outdoorSigmaK: 4 }
/**
 * Share of an outdoor change that the supply has followed by then: weather compensation averages the outdoor
 * temperature over 3 to 12 h, and 1 − e^(−5 h/τ) of a change is in the mean, 0.8 to 0.3.
 */
const FOLLOWED = 0.55
/** Smallest difference between rooms and outdoors that a heating curve starts from, K. */
const MIN_HEATED_K = 5
/**
 * Largest standard deviation of the fixed errors of thermometers, K. IEC 60751 allows 0.23 K for class A and 0.5 K for
 * class B at 40 °C, which are three deviations; the class is not recorded. Most sites are far below, so a sample takes this
 * value times the square of an even random number 0..1.
 */
const THERMOMETER_K = 0.17
/** Steps of a sequence that fills the unit cube evenly, in any number of samples (Kronecker). */
const EVEN_STEPS = [Math.SQRT2, Math.sqrt(3), Math.sqrt(5)] as const

/** Errors of one sample that are no property of the loop's hydraulics. */
export interface SampledErrors {
  /** Change of the supply temperature of all consumers, K. */
  readonly supplyShiftK: number
  /**
   * Fixed error of each consumer's return thermometer, K: the same before and after, so it stays out of the shown
   * returns.
   */
  readonly thermometerK: Float64Array
  /** Factor of the usual drift of returns by habits and sun, which differ between sites and hours: 0 to 2. */
  readonly driftShare: number
}

/** Three numbers 0..1 for a sample. Over all samples they are spread evenly. */
const spreadEvenly = (index: number): readonly number[] =>
  EVEN_STEPS.map((step) => ((index + 0.5) * step) % 1)

/**
 * Change of the supply temperature with the outdoor temperature, K/K: that of a heating curve through the present
 * point and through equal temperatures of supply, rooms and outdoors.
 */
function curveSlope({ supplyC, outdoorC }: Pick<LoopReadings, 'supplyC' | 'outdoorC'>): number {
  const warmerK = (weightedMean(supplyC) ?? ASSUMED_ROOM_C) - ASSUMED_ROOM_C
  const heatedK = Math.max(MIN_HEATED_K, ASSUMED_ROOM_C - (Number.isNaN(outdoorC) ? 0 : outdoorC))
  return -Math.max(0, warmerK) / heatedK
}

/**
 * Samples what happens between a plan and its result apart from the loop's hydraulics. The supply temperature changes by
 * `supplyK`, and further with an unexpected change of the outdoor temperature: a sine wave read at a random time. All
 * thermometers of a site have the same, unknown quality. Worked example: forecast-range.test.ts.
 */
export function createErrorSampler(
  readings: Pick<LoopReadings, 'supplyC' | 'outdoorC'>,
  { supplyK, outdoorSigmaK }: WeatherChange,
): (index: number, random: Random) => SampledErrors {
  const deviationK = FOLLOWED * curveSlope(readings) * outdoorSigmaK
  return (index, random) => {
    const [time = 0, quality = 0, habits = 0] = spreadEvenly(index)
    return {
      supplyShiftK: supplyK + Math.SQRT2 * deviationK * Math.cos(Math.PI * time),
      thermometerK: Float64Array.from(readings.supplyC, () =>
        sampleNormal(random, 0, THERMOMETER_K * quality ** 2),
      ),
      driftShare: 2 * habits,
    }
  }
}
