import type { Building } from './building.ts'
import type { Emitter } from './emitter.ts'

/** A household for the simulation: its two heat stores (building.ts) and its emitter. */
export interface HouseholdSpec {
  readonly building: Building
  readonly emitter: Emitter
}

/** Two households that share a wall or slab, by their index; W/K between their masses (`partitionConductance`). */
export interface Partition {
  readonly between: number
  readonly and: number
  readonly conductance: number
}

/**
 * Many households as flat arrays in the given order. The caller writes the inputs before each step and reads the outputs
 * after it. `stepHouseholds` owns the rest; a snapshot is `airC`, `massC` and `emitterC`.
 */
export interface Households {
  readonly count: number

  /** Input: water through the emitter, kg/s, and its temperature, °C. */
  readonly flowKgS: Float64Array
  readonly supplyC: Float64Array
  /** Input: heat of people, appliances and sun to the air, and to walls and floor, W. */
  readonly airGainW: Float64Array
  readonly massGainW: Float64Array

  /** State: air, walls and slabs, and the emitter (return water of a radiator, screed of a floor), °C. */
  readonly airC: Float64Array
  readonly massC: Float64Array
  readonly emitterC: Float64Array

  /** Output, means of the last step: water leaving the emitter, °C. */
  readonly returnC: Float64Array
  /** Output, means of the last step: heat given off by the water and by the emitter, and heat loss to outside, W. */
  readonly takenW: Float64Array
  readonly emittedW: Float64Array
  readonly lostW: Float64Array

  readonly airToOutside: Float64Array
  readonly massToOutside: Float64Array
  readonly airToMass: Float64Array
  readonly airCapacity: Float64Array
  readonly massCapacity: Float64Array
  readonly isFloor: Uint8Array
  readonly emitterCoefficient: Float64Array
  readonly emitterExponent: Float64Array
  readonly emitterCapacity: Float64Array
  readonly waterConductance: Float64Array
  readonly partitionFrom: Int32Array
  readonly partitionTo: Int32Array
  readonly partitionConductance: Float64Array

  /** exp(A·Δt) of each household, and exchange of each partition per kelvin, J/K, for steps of `preparedS`. */
  readonly decay: Float64Array
  readonly exchangeJK: Float64Array
  preparedS: number
}

/** Start temperatures, °C; walls start in their steady state. */
export interface HouseholdStart {
  readonly airC: number
  readonly emitterC: number
  readonly outsideC: number
}

export type HouseholdsOutcome =
  | { readonly kind: 'households'; readonly households: Households }
  | { readonly kind: 'bad-household'; readonly household: number; readonly what: string }
  | { readonly kind: 'bad-partition'; readonly partition: number }

const MOST = 1e15
/** Longest part of a step, s. Within a part emitters use the air temperature at its start, and neighbours exchange heat one by one. */
export const LONGEST_PART_S = 300
/** Largest excess of water over its room, K. */
const HOT_EXCESS_K = 100
const isPositive = (value: number): boolean => value > 0 && value <= MOST
const isConductance = (value: number): boolean => value >= 0 && value <= MOST

/** The invalid property of a household; undefined if it is valid. */
function findBadPart({ building, emitter }: HouseholdSpec): string | undefined {
  if (!isPositive(building.airCapacity)) return 'airCapacity'
  if (!isPositive(building.massCapacity)) return 'massCapacity'
  if (!isPositive(building.airToMass)) return 'airToMass'
  if (!isConductance(building.airToOutside)) return 'airToOutside'
  if (!isConductance(building.massToOutside)) return 'massToOutside'
  if (!isPositive(building.airToOutside + building.massToOutside)) return 'airToOutside + massToOutside'
  if (!isPositive(emitter.capacity)) return 'emitter capacity'
  if (!isConductance(emitter.coefficient)) return 'emitter coefficient'
  if (!(emitter.exponent >= 1 && emitter.exponent <= 2)) return 'emitter exponent'
  if (emitter.kind === 'floor' && !isPositive(emitter.waterConductance)) return 'emitter waterConductance'
  const conductance = emitter.coefficient * emitter.exponent * HOT_EXCESS_K ** (emitter.exponent - 1)
  if (conductance * LONGEST_PART_S > building.airCapacity) return 'airCapacity, too small beside the emitter'
  return undefined
}

function isPartition({ between, and, conductance }: Partition, count: number): boolean {
  const isHousehold = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < count
  return isHousehold(between) && isHousehold(and) && between !== and && isConductance(conductance)
}

/**
 * Creates households with the partitions between them. Refuses, by a tagged outcome: capacities and conductances that are
 * not positive and below 1e15, exponents outside 1 to 2, partitions with invalid ends, and an emitter that heats the air
 * completely within five minutes, because emitter and air are stepped one after the other.
 */
export function createHouseholds(
  specs: readonly HouseholdSpec[],
  partitions: readonly Partition[],
  start: HouseholdStart,
): HouseholdsOutcome {
  for (const [household, spec] of specs.entries()) {
    const what = findBadPart(spec)
    if (what !== undefined) return { kind: 'bad-household', household, what }
  }
  const bad = partitions.findIndex((partition) => !isPartition(partition, specs.length))
  if (bad >= 0) return { kind: 'bad-partition', partition: bad }
  const each = (pick: (spec: HouseholdSpec) => number): Float64Array => Float64Array.from(specs, pick)
  const all = (value: number): Float64Array => new Float64Array(specs.length).fill(value)
  const households: Households = {
    count: specs.length,
    flowKgS: all(0),
    supplyC: all(start.emitterC),
    airGainW: all(0),
    massGainW: all(0),
    airC: all(start.airC),
    massC: each(({ building: { airToMass, massToOutside } }) => {
      return start.outsideC + ((start.airC - start.outsideC) * airToMass) / (airToMass + massToOutside)
    }),
    emitterC: all(start.emitterC),
    returnC: all(start.emitterC),
    takenW: all(0),
    emittedW: all(0),
    lostW: all(0),
    airToOutside: each(({ building }) => building.airToOutside),
    massToOutside: each(({ building }) => building.massToOutside),
    airToMass: each(({ building }) => building.airToMass),
    airCapacity: each(({ building }) => building.airCapacity),
    massCapacity: each(({ building }) => building.massCapacity),
    isFloor: Uint8Array.from(specs, ({ emitter }) => (emitter.kind === 'floor' ? 1 : 0)),
    emitterCoefficient: each(({ emitter }) => emitter.coefficient),
    emitterExponent: each(({ emitter }) => emitter.exponent),
    emitterCapacity: each(({ emitter }) => emitter.capacity),
    waterConductance: each(({ emitter }) => (emitter.kind === 'floor' ? emitter.waterConductance : 0)),
    partitionFrom: Int32Array.from(partitions, ({ between }) => between),
    partitionTo: Int32Array.from(partitions, ({ and }) => and),
    partitionConductance: Float64Array.from(partitions, ({ conductance }) => conductance),
    decay: new Float64Array(4 * specs.length),
    exchangeJK: new Float64Array(partitions.length),
    preparedS: 0,
  }
  return { kind: 'households', households }
}

/** Still air at an inner surface, m²K/W: the horizontal value, between those of floor and ceiling (ISO 6946). */
const SURFACE_RESISTANCE = 0.13

/**
 * Conductance between the masses on both sides of a wall or slab, W/K, from its U-value from air to air. It excludes the
 * two layers of still air, which are part of each household's `airToMass`.
 */
export function partitionConductance(uWM2K: number, areaM2: number): number {
  const resistance = 1 / uWM2K - 2 * SURFACE_RESISTANCE
  if (!(resistance > 0))
    throw new RangeError(`no partition lets ${uWM2K} W/(m²·K) through, its air alone holds more`)
  return areaM2 / resistance
}
