import type { Celsius, KilowattHour } from '@isotherm/kernel/quantities'
import { type ChangePointLine, fitChangePoint, heatAt, orderDays, type WeatherOrder } from './change-point.ts'

/** A heating day: its mean outdoor temperature and the heat that the station gave. */
export interface HeatDay {
  readonly outdoorC: Celsius
  readonly heatKwh: KilowattHour
}

/** Heat of a station over the weather, before anything was changed. */
export interface HeatBaseline {
  readonly kind: 'fitted'
  readonly line: ChangePointLine
  readonly weather: WeatherOrder
  /** Measured minus predicted heat of each day, in the order of days, kWh. */
  readonly residualKwh: Float64Array
  /** Correlation of residuals of consecutive days, 0..1. */
  readonly dayCorrelation: number
  readonly coldestC: number
  readonly warmestC: number
}

/** Why there is no baseline. */
export type BaselineRefusal =
  | { readonly kind: 'too-few-days'; readonly days: number; readonly needed: number }
  | { readonly kind: 'weather-too-equal'; readonly spanK: number; readonly neededK: number }
  /** Colder days did not need more heat. */
  | { readonly kind: 'heat-not-by-weather' }

/** Fewest days of a baseline, and the smallest range of their outdoor temperatures. */
export const MIN_BASELINE_DAYS = 21
export const MIN_BASELINE_SPAN_K = 8
/** Smallest share of the variance of heat that the weather explains. */
const MIN_EXPLAINED = 0.5

/** Number of parameters of the line. The residuals have as many degrees of freedom fewer than there are days. */
export const PARAMETERS = 3
const MAX_CORRELATION = 0.9

/**
 * Correlation ρ of the residuals of consecutive days, 0..0.9. The residuals of a fitted line show a correlation that is too
 * small by about (3 + 3ρ)/n; this is added. Source: F. H. C. Marriott, J. A. Pope, Biometrika 41 (1954) 390, who give
 * (1 + 3ρ)/n for a fitted mean; the line has three parameters instead of one.
 */
function correlationOf(residual: Float64Array): number {
  let [product, square] = [0, 0]
  for (const [day, value] of residual.entries()) {
    square += value ** 2
    if (day > 0) product += value * (residual[day - 1] ?? 0)
  }
  const shown = square > 0 ? product / square : 0
  const corrected = shown + (PARAMETERS + 3 * shown) / residual.length
  return Math.min(MAX_CORRELATION, Math.max(0, corrected))
}

/**
 * Fits the heat of a station over the weather. Days are in the order of time; days without a measured heat or outdoor
 * temperature (NaN) are left out. Refuses if the days are too few or their weather is too equal. Worked example:
 * heat-baseline.test.ts.
 */
export function fitBaseline(days: readonly HeatDay[]): HeatBaseline | BaselineRefusal {
  const known = days.filter(({ outdoorC, heatKwh }) => Number.isFinite(outdoorC) && Number.isFinite(heatKwh))
  if (known.length < MIN_BASELINE_DAYS)
    return { kind: 'too-few-days', days: known.length, needed: MIN_BASELINE_DAYS }
  const outdoorC = Float64Array.from(known, (day) => day.outdoorC)
  const heatKwh = Float64Array.from(known, (day) => day.heatKwh)
  const weather = orderDays(outdoorC)
  const [coldestC, warmestC] = [
    outdoorC[weather.order[0] ?? 0] ?? 0,
    outdoorC[weather.order.at(-1) ?? 0] ?? 0,
  ]
  const spanK = warmestC - coldestC
  if (spanK < MIN_BASELINE_SPAN_K) return { kind: 'weather-too-equal', spanK, neededK: MIN_BASELINE_SPAN_K }
  const line = fitChangePoint(weather, heatKwh)
  const residualKwh = heatKwh.map((heat, day) => heat - heatAt(line, outdoorC[day] ?? 0))
  const meanKwh = heatKwh.reduce((sum, heat) => sum + heat, 0) / heatKwh.length
  const unexplained = residualKwh.reduce((sum, value) => sum + value ** 2, 0)
  const all = heatKwh.reduce((sum, heat) => sum + (heat - meanKwh) ** 2, 0)
  if (!(line.slopeKwhK > 0) || unexplained > (1 - MIN_EXPLAINED) * all) return { kind: 'heat-not-by-weather' }
  return {
    kind: 'fitted',
    line,
    weather,
    residualKwh,
    dayCorrelation: correlationOf(residualKwh),
    coldestC,
    warmestC,
  }
}
