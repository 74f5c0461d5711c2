import { DEGREE_DAY_BASE_C } from '@isotherm/contract/endpoints/monitoring/meters'
import type { DayRange } from './plant-days.ts'

/** Share of the days that need an outdoor temperature. */
const ENOUGH_DAYS = 0.9

/**
 * Heating degree-days of a range, K·d: Σ max(0, 18 °C − mean of the day). A few days without weather have the mean of the
 * others; with more of them there is no sum.
 */
export function sumDegreeDays(
  outdoorC: ReadonlyMap<number, number>,
  { from, to }: DayRange,
): { readonly degreeDays?: number; readonly weatherDays: number } {
  let [sum, weatherDays] = [0, 0]
  for (let day = from; day < to; day += 1) {
    const mean = outdoorC.get(day)
    if (mean === undefined) continue
    weatherDays += 1
    sum += Math.max(0, DEGREE_DAY_BASE_C - mean)
  }
  const days = to - from
  const isEnough = weatherDays > 0 && weatherDays >= ENOUGH_DAYS * days
  return isEnough ? { degreeDays: (sum * days) / weatherDays, weatherDays } : { weatherDays }
}
