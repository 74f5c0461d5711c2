import { heatAt } from './change-point.ts'
import { type HeatBaseline, PARAMETERS } from './heat-baseline.ts'

/** How well a baseline explains the heat of its days. */
export interface FitQuality {
  /** Share of the variance of heat that the weather explains, 0..1. */
  readonly r2: number
  /** Root of the mean squared residual over the mean heat, %. */
  readonly cvRmsePct: number
  /** Whether both are within the limits below. */
  readonly isWithinLimits: boolean
}

/**
 * Largest CV(RMSE) of a baseline of energy for savings of less than a year; 25 % apply up to five years. Source: ASHRAE
 * Guideline 14, whole-building prescriptive path.
 */
export const MAX_CV_RMSE_PCT = 20
/**
 * Smallest R² of a regression that is used without further reasons. It is an indicator: IPMVP states no universal minimum,
 * and names 0.75 as a reasonable sign of a causal relationship. Source: IPMVP Volume I (2012).
 */
export const MIN_R2 = 0.75

/** Quality of a fit; n − 3 degrees of freedom. Worked example: fit-quality.test.ts. */
export function findFitQuality({ line, weather, residualKwh }: HeatBaseline): FitQuality {
  const days = residualKwh.length
  const heatKwh = weather.outdoorC.map((at, day) => heatAt(line, at) + (residualKwh[day] ?? 0))
  const meanKwh = heatKwh.reduce((sum, heat) => sum + heat, 0) / days
  const all = heatKwh.reduce((sum, heat) => sum + (heat - meanKwh) ** 2, 0)
  const unexplained = residualKwh.reduce((sum, value) => sum + value ** 2, 0)
  const r2 = 1 - unexplained / all
  const cvRmsePct = (100 * Math.sqrt(unexplained / (days - PARAMETERS))) / meanKwh
  return { r2, cvRmsePct, isWithinLimits: r2 >= MIN_R2 && cvRmsePct <= MAX_CV_RMSE_PCT }
}
