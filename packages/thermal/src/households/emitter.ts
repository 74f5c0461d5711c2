import type { Celsius, Watt } from '@isotherm/kernel/quantities'
import { WATER_HEAT_CAPACITY } from '../water.ts'
import { flowForHeat, logMeanDifference, radiatorForDesign } from './radiator.ts'

/**
 * Heat emitter of a household. For a radiator Q = coefficient·LMTD(supply, return, room)^exponent at any moment, and
 * `capacity` (J/K, water and metal) delays the return temperature. A floor is a screed with `capacity` J/K. Its pipes heat
 * it by `waterConductance` (W/K, log mean between water and screed). It gives coefficient·(screed − room)^exponent to the
 * room.
 */
export type Emitter =
  | {
      readonly kind: 'radiator'
      readonly coefficient: number
      readonly exponent: number
      readonly capacity: number
    }
  | {
      readonly kind: 'floor'
      readonly coefficient: number
      readonly exponent: number
      readonly capacity: number
      readonly waterConductance: number
    }

/** Design heat and temperatures of an emitter. */
export interface EmitterDesign {
  readonly heat: Watt
  readonly supply: Celsius
  readonly back: Celsius
  readonly room: Celsius
  /** Water and metal of a radiator, screed of a floor, J/K. */
  readonly capacity: number
}

/** A radiator for a design point; exponent 1.3 is usual (EN 442). */
export function designRadiator(design: EmitterDesign, exponent = 1.3): Emitter {
  const { heat, supply, back, room, capacity } = design
  return { kind: 'radiator', ...radiatorForDesign(heat, supply, back, room, exponent), capacity }
}

/** Basic characteristic of any floor that is heated evenly: q = 8.92·(floor − room)^1.1, W/m² (EN 1264-2). */
const FLOOR_COEFFICIENT_W_M2 = 8.92
const FLOOR_EXPONENT = 1.1

/**
 * A floor for a design point. The heated area determines its surface, the design return the density of its pipes. Throws a
 * RangeError if the return would be colder than the floor: then the area is too small.
 */
export function designFloor(design: EmitterDesign, heatedAreaM2: number): Emitter {
  const { heat, supply, back, room, capacity } = design
  const coefficient = FLOOR_COEFFICIENT_W_M2 * heatedAreaM2
  const screed = room + (heat / coefficient) ** (1 / FLOOR_EXPONENT)
  if (!(back > screed))
    throw new RangeError(
      `a floor of ${heatedAreaM2} m² would need ${screed} °C, but the return has ${back} °C`,
    )
  const flowCapacity = flowForHeat(heat, supply - back) * WATER_HEAT_CAPACITY
  const waterConductance = flowCapacity * Math.log((supply - screed) / (back - screed))
  return { kind: 'floor', coefficient, exponent: FLOOR_EXPONENT, capacity, waterConductance }
}

/**
 * Mean excess of a radiator's water over the room, K: the log mean while the water cools along the radiator. Otherwise
 * (the supply has just dropped, or there is no flow) the radiator has the temperature of its outlet.
 */
export function meanExcess(inletK: number, outletK: number): number {
  if (inletK > outletK && outletK > 0) return logMeanDifference(inletK, outletK)
  if (inletK < outletK && outletK < 0) return -logMeanDifference(-inletK, -outletK)
  return outletK
}

/** x^n with the sign of x, so that an emitter colder than its room takes heat. */
export function signedPower(x: number, exponent: number): number {
  return x < 0 ? -((-x) ** exponent) : x ** exponent
}
