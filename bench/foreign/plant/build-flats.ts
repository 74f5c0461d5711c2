import { type Random, sampleNormal } from '@isotherm/kernel/random'
import { coefficientFor, EMITTERS, type EmitterType } from '../physics/emitters.ts'
import type { Flats } from '../physics/flats.ts'

export const FLATS_PER_BUILDING = 10

/** Design outdoor temperature, °C, and room temperature, for a heat load. */
const DESIGN_SPAN_K = 29

/** A building before its flats are known. */
export interface BuildingDraft {
  readonly emitter: EmitterType
  /** Heat load by which a planner chose emitters and flow, and the true one, W/m². */
  readonly plannedWM2: number
  readonly trueWM2: number
  readonly areasM2: readonly number[]
}

/** Heat loss of a flat relative to its building's mean: the ground floor and the top floor lose more. */
export const placeFactor = (inside: number): number =>
  inside < 2 ? 1.12 : inside >= FLATS_PER_BUILDING - 2 ? 1.2 : 0.92

const lognormal = (random: Random, deviation: number): number => Math.exp(sampleNormal(random, 0, deviation))

/** Share of the heat loss by ventilation; the rest goes through walls and windows. */
const AIRING_SHARE = 0.35
/** By floor area: furniture and air, structure (kJ/(m²·K)), inner surfaces, slabs and party walls (W/(m²·K)). */
const AIR_KJ = 45
const STRUCTURE_KJ = 320
const INSIDE_W = 10
const SLAB_W = 0.9
const PARTY_W = 0.4
const PEOPLE_W = 3.2
const WINDOW_SHARE = 0.15
const SUN_THROUGH = 0.35
/** Radiators come in whole sections: planners add some. */
const SURPLUS = 1.08

/** Flats of all buildings, with their own areas, walls, emitters, people and shares of flow. */
export function buildFlats(buildings: readonly BuildingDraft[], random: Random): Flats {
  const count = buildings.length * FLATS_PER_BUILDING
  const make = (): Float64Array => new Float64Array(count)
  const flats: Flats = {
    perBuilding: FLATS_PER_BUILDING,
    areaM2: make(),
    flowShare: make(),
    coefficient: make(),
    exponent: make(),
    emitterJK: make(),
    airJK: make(),
    structureJK: make(),
    insideWK: make(),
    airingWK: make(),
    wallWK: make(),
    aboveWK: make(),
    besideWK: make(),
    peopleW: make(),
    sunM2: make(),
  }
  for (const [building, { emitter, plannedWM2, trueWM2, areasM2 }] of buildings.entries()) {
    const shares = areasM2.map((area, inside) => area * placeFactor(inside) * lognormal(random, 0.1))
    const all = shares.reduce((total, share) => total + share, 0)
    for (const [inside, area] of areasM2.entries()) {
      const f = building * FLATS_PER_BUILDING + inside
      const lossWK = (trueWM2 * area * placeFactor(inside) * lognormal(random, 0.06)) / DESIGN_SPAN_K
      const heatW = SURPLUS * plannedWM2 * area * placeFactor(inside) * lognormal(random, 0.08)
      const structure = STRUCTURE_KJ * lognormal(random, 0.15)
      flats.areaM2[f] = area
      flats.flowShare[f] = (shares[inside] ?? 0) / all
      flats.coefficient[f] = coefficientFor(emitter, heatW)
      flats.exponent[f] = EMITTERS[emitter].exponent
      flats.emitterJK[f] = 1000 * EMITTERS[emitter].capacityKJM2K * area
      flats.airJK[f] = 1000 * AIR_KJ * area
      flats.structureJK[f] = 1000 * structure * area
      flats.insideWK[f] = INSIDE_W * area
      flats.airingWK[f] = AIRING_SHARE * lossWK
      flats.wallWK[f] = (1 - AIRING_SHARE) * lossWK
      flats.aboveWK[f] = SLAB_W * area
      flats.besideWK[f] = PARTY_W * area
      flats.peopleW[f] = PEOPLE_W * area * lognormal(random, 0.3)
      flats.sunM2[f] = WINDOW_SHARE * SUN_THROUGH * area * (inside % 2 === 0 ? 0.7 : 0.25)
    }
  }
  return flats
}
