import { celsius, watt } from '@isotherm/kernel/quantities'
import { type Random, sampleNormal } from '@isotherm/kernel/random'
import type { Building } from '@isotherm/thermal/households/building'
import { designFloor, designRadiator, type Emitter } from '@isotherm/thermal/households/emitter'
import type { Emitters } from '../scenario.ts'

/** Design heat of dwellings, W/m² at −10 °C outside and 20 °C inside. */
const DESIGN_HEAT_W_M2 = 35
const DESIGN_DIFFERENCE_K = 30

/** Design supply and return in °C, and water, metal and screed in J/(m²·K) of floor (balancing.md B.3). */
const emitterDesigns = {
  radiators: { supplyC: 50, returnC: 40, capacityJM2K: 4_000 },
  floor: { supplyC: 47, returnC: 39, capacityJM2K: 100_000 },
} as const
/** Heated share of a flat's floor; the rest is under furniture. */
const HEATED_FLOOR = 0.8

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
const vary = (random: Random, deviation: number, limit: number): number =>
  clamp(sampleNormal(random, 1, deviation), 1 - limit, 1 + limit)

/** Position of a flat in its staircase; flats at the edge of a building lose more heat. */
export interface FlatPosition {
  readonly floor: number
  readonly floors: number
  readonly isEndUnit: boolean
}

function exposure({ floor, floors, isEndUnit }: FlatPosition): number {
  return (floor === 1 || floor === floors ? 1.1 : 0.98) * (isEndUnit ? 1.05 : 0.98)
}

/**
 * Walls, windows and slabs of a flat. Losses vary by up to 20 % from flat to flat. About half of the heat is lost directly
 * from the air through windows and air change, the rest through walls, which store 300 kJ/(m²·K).
 */
export function sampleBuilding(random: Random, areaM2: number, position: FlatPosition): Building {
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

/** Emitters of a flat, sized for its exposure and, as usual, 2 to 20 % too large. */
export function sampleEmitter(
  random: Random,
  areaM2: number,
  position: FlatPosition,
  emitters: Emitters,
): Emitter {
  const heat = DESIGN_HEAT_W_M2 * areaM2 * exposure(position) * (1.02 + 0.18 * random())
  const { supplyC, returnC, capacityJM2K } = emitterDesigns[emitters]
  const design = {
    heat: watt(heat),
    supply: celsius(supplyC),
    back: celsius(returnC),
    room: celsius(20),
    capacity: capacityJM2K * areaM2,
  }
  return emitters === 'floor' ? designFloor(design, HEATED_FLOOR * areaM2) : designRadiator(design)
}
