import { celsius, watt } from '@isotherm/kernel/quantities'
import { drawNormal, type Random } from '@isotherm/kernel/random'
import type { Building } from '@isotherm/thermal/building'
import { type Radiator, radiatorForDesign } from '@isotherm/thermal/radiator'

/** Design heat of the demo's dwellings, W/m² at −10 °C outside and 20 °C inside. */
const DESIGN_HEAT_W_M2 = 35
const DESIGN_DIFFERENCE_K = 30

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
const vary = (random: Random, deviation: number, limit: number): number =>
  clamp(drawNormal(random, 1, deviation), 1 - limit, 1 + limit)

/** Where a flat lies in its staircase; flats at the edge of a building lose more. */
export interface FlatPosition {
  readonly floor: number
  readonly floors: number
  readonly isEndUnit: boolean
}

function exposure({ floor, floors, isEndUnit }: FlatPosition): number {
  return (floor === 1 || floor === floors ? 1.1 : 0.98) * (isEndUnit ? 1.05 : 0.98)
}

/**
 * Walls, windows and slabs of a flat. Losses vary by up to 20 % from flat to flat. About half is lost through windows
 * and air change, straight from the air; the rest through walls, which hold 300 kJ/(m²·K).
 */
export function drawBuilding(random: Random, areaM2: number, position: FlatPosition): Building {
  const loss =
    (DESIGN_HEAT_W_M2 / DESIGN_DIFFERENCE_K) * areaM2 * exposure(position) * vary(random, 0.08, 0.2)
  const airToMass = 4.5 * areaM2
  const wallPath = 0.5 * loss
  return {
    airToOutside: 0.5 * loss,
    massToOutside: (wallPath * airToMass) / (airToMass - wallPath),
    airToMass,
    airCapacity: 25_000 * areaM2,
    massCapacity: 300_000 * areaM2,
  }
}

/** Radiators of a flat, chosen by the designer for its exposure, 2 to 20 % too large as usual. */
export function drawRadiator(random: Random, areaM2: number, position: FlatPosition): Radiator {
  const heat = DESIGN_HEAT_W_M2 * areaM2 * exposure(position) * (1.02 + 0.18 * random())
  return radiatorForDesign(watt(heat), celsius(50), celsius(40), celsius(20), 1.3)
}
