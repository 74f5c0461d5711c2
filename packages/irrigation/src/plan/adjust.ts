import type { Demand, ProgramSpec } from './model.ts'

/** Limits of the seasonal adjustment, and of all adjustments together, %. */
export const SEASONAL_PCT = { min: 10, max: 200 } as const
const MAX_ADJUST_PCT = 200
/** Below this share the water would only wet the surface: the run is left out. */
const MIN_ADJUST_PCT = 10

/** Reference evapotranspiration less the rain, as a share of the design value, 0 and up; 1 if nothing is known. */
export const weatherFactor = (designEtMm: number | undefined, demand: Demand | undefined): number =>
  designEtMm === undefined || designEtMm <= 0 || demand === undefined || demand.days <= 0
    ? 1
    : Math.max(0, demand.etMm - demand.rainMm) / (designEtMm * demand.days)

/** Share of the run times after the adjustments by season and weather, %: 0 or from 10 to 200. */
export function toAdjustPct(
  { seasonalPct, designEtMm }: Pick<ProgramSpec, 'seasonalPct' | 'designEtMm'>,
  demand: Demand | undefined,
): number {
  const seasonal = Math.min(SEASONAL_PCT.max, Math.max(SEASONAL_PCT.min, seasonalPct))
  const pct = seasonal * weatherFactor(designEtMm, demand)
  return pct < MIN_ADJUST_PCT - 1e-9 ? 0 : Math.min(MAX_ADJUST_PCT, Math.round(pct))
}
