import type { KilowattHour } from '@isotherm/kernel/quantities'
import { kilowattHour } from '@isotherm/kernel/quantities'
import { mean } from '@isotherm/kernel/statistics'

/** Electricity of the pump saved in a period beside the days before. */
export interface PumpSaving {
  /** Days of the period. */
  readonly days: number
  /** Mean of a day. */
  readonly beforeKwhDay: KilowattHour
  readonly afterKwhDay: KilowattHour
  /** Negative if the pump took more than before. */
  readonly savedKwh: KilowattHour
  /** Ends of its 90 % interval. */
  readonly lowKwh: KilowattHour
  readonly highKwh: KilowattHour
}

/** Fewest days before. */
export const MIN_PUMP_DAYS = 21
/** 95th percentile of the normal distribution. */
const Z_90 = 1.645
const MAX_CORRELATION = 0.9

/** Deviation of a day, and factor by which correlated days carry less than independent ones: (1 + ρ)/(1 − ρ). */
function spreadOf(days: readonly number[]) {
  const middle = mean(days)
  let [product, square] = [0, 0]
  for (const [index, day] of days.entries()) {
    square += (day - middle) ** 2
    if (index > 0) product += (day - middle) * ((days[index - 1] ?? 0) - middle)
  }
  const shown = square > 0 ? product / square : 0
  // The mean takes a part of the correlation, as in heat-baseline.ts: one parameter here.
  const rho = Math.min(MAX_CORRELATION, Math.max(0, shown + (1 + 3 * shown) / days.length))
  return { variance: square / Math.max(1, days.length - 1), factor: (1 + rho) / (1 - rho) }
}

/**
 * Electricity that the pump saved: the mean day before times the days of the period, minus what it took. Not corrected
 * for the weather. The interval has the error of the mean before and the scatter of the days that would have been.
 * Undefined below 21 days before or without days after. kWh of each day. Worked example: pump-saving.test.ts.
 */
export function findPumpSaving(before: readonly number[], after: readonly number[]): PumpSaving | undefined {
  if (before.length < MIN_PUMP_DAYS || after.length === 0) return undefined
  const days = after.length
  const [beforeKwhDay, afterKwhDay] = [mean(before), mean(after)]
  const { variance, factor } = spreadOf(before)
  const savedKwh = days * (beforeKwhDay - afterKwhDay)
  const errorKwh = Z_90 * Math.sqrt(variance * factor * (days ** 2 / before.length + days))
  return {
    days,
    beforeKwhDay: kilowattHour(beforeKwhDay),
    afterKwhDay: kilowattHour(afterKwhDay),
    savedKwh: kilowattHour(savedKwh),
    lowKwh: kilowattHour(savedKwh - errorKwh),
    highKwh: kilowattHour(savedKwh + errorKwh),
  }
}
