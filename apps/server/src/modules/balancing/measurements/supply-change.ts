import type { WeatherChange } from '@isotherm/balancing/plan/forecast-errors'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { SlotMeans, SlotSpan } from './slot-means.ch.ts'

const DAY_H = 24
/** Usual time that the waves of a round take, h of plant time. */
const WAVES_H = 2
/**
 * Standard deviation of the difference between the outdoor changes over the same hours of two days in a row, K: the
 * usual difference from day to day in winters of northern China.
 */
const DAY_TO_DAY_K = 3

/** The last day, in hours of plant time. `timeFactor`: plant time per clock time. */
export const toLastDay = (to: number, timeFactor: number): SlotSpan => {
  const slotMs = Math.max(1, Math.round(HOUR_MS / timeFactor))
  return { from: Math.floor(to) - DAY_H * slotMs, to: Math.floor(to), slotMs }
}

/** Hourly means of a station's supply temperature over the last day, °C. */
export interface SupplyDay {
  readonly slotMs: number
  readonly supplyC: Float64Array | undefined
}

export const toSupplyDay = (stationId: number, { slotMs }: SlotSpan, means: SlotMeans): SupplyDay => ({
  slotMs,
  supplyC: means(stationId, 'temp.supply'),
})

/**
 * Change of the supply temperature until a round's result is measured: as over the same hours of the day before.
 * Undefined without readings in both hours, and for a round that takes a day or more. Worked example:
 * supply-change.test.ts.
 */
export function findSupplyChange(
  { slotMs, supplyC }: SupplyDay,
  settleMs: number,
): WeatherChange | undefined {
  const hours = WAVES_H + Math.round(settleMs / slotMs)
  const supplyK = (supplyC?.[hours] ?? Number.NaN) - (supplyC?.[0] ?? Number.NaN)
  return Number.isNaN(supplyK) ? undefined : { supplyK, outdoorSigmaK: DAY_TO_DAY_K }
}
