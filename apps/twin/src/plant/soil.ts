import type { WateringSpec } from '../scenarios/scenario.ts'
import type { Sky } from './weather.ts'

/** Root depth of a lawn, mm, and water capacity of loam as shares of its volume (FAO-56, table 19). */
const ROOTS_MM = 300
const WILTING = 0.12
const FIELD_CAPACITY = 0.3
const SATURATED = 0.45
/** Evaporation is not limited above this share of the available water (FAO-56, table 22). */
const EASY_SHARE = 0.5
/** Time constant of seepage above field capacity, s. */
const SEEPING_S = 86_400
const DAY_S = 86_400
const HOUR_S = 3600

/** Water in the ground below a pump house's sprinklers. */
export interface Soil {
  /** Water in the root zone, by unit, mm. */
  readonly waterMm: Float64Array
  /** Rain in the open since the gauge was installed, mm; one number. */
  readonly rainedMm: Float64Array
}

export const createSoil = ({ places }: WateringSpec): Soil => ({
  waterMm: Float64Array.from(places, ({ startMoisture }) => startMoisture * ROOTS_MM),
  rainedMm: new Float64Array(1),
})

/** Water as a share of the ground's volume, 0..1. */
export const soilMoisture = ({ waterMm }: Soil, unit: number): number => (waterMm[unit] ?? 0) / ROOTS_MM

/**
 * Evaporation of a well-watered lawn at a mean temperature, mm per day: ET₀ = p·(0.46·T + 8), Blaney and Criddle as in
 * FAO-24, with p = 0.28 for the growing season at 40° north. Worked example: soil.test.ts.
 */
export const lawnEvaporation = (outdoorC: number): number => Math.max(0, 0.28 * (0.46 * outdoorC + 8))

/** Share of the full evaporation that is possible with the present water; 0 at the wilting point. */
const evaporationShare = (waterMm: number): number => {
  const reach = (FIELD_CAPACITY - WILTING) * ROOTS_MM * EASY_SHARE
  return Math.min(1, Math.max(0, (waterMm - WILTING * ROOTS_MM) / reach))
}

/**
 * Applies rain, sprinklers, evaporation and seepage for a step of at most some minutes: dW/dt = rain + V̇/A − K·ET₀ −
 * (W − W_fc)/τ. Water above saturation runs off. `unitM3H`: flow of a unit's sprinklers.
 */
export function stepSoil(
  soil: Soil,
  { places, underGlassC }: WateringSpec,
  unitM3H: (unit: number) => number,
  sky: Sky,
  stepS: number,
): void {
  const hours = stepS / HOUR_S
  const rainMmH = underGlassC === undefined ? sky.rainMmH : 0
  const wanted = (lawnEvaporation(underGlassC ?? sky.outdoorC) * stepS) / DAY_S
  const seeping = 1 - Math.exp(-stepS / SEEPING_S)
  soil.rainedMm[0] = (soil.rainedMm[0] ?? 0) + sky.rainMmH * hours
  places.forEach(({ areaM2 }, unit) => {
    const before = soil.waterMm[unit] ?? 0
    const sprinkledMm = (1000 * unitM3H(unit) * hours) / areaM2
    const seeped = Math.max(0, before - FIELD_CAPACITY * ROOTS_MM) * seeping
    const after = before + rainMmH * hours + sprinkledMm - evaporationShare(before) * wanted - seeped
    soil.waterMm[unit] = Math.min(SATURATED * ROOTS_MM, after)
  })
}
