import { celsius, watt } from '@isotherm/kernel/quantities'
import { WATER_HEAT_CAPACITY } from '../water.ts'
import type { Building } from './building.ts'
import { designFloor, designRadiator, meanExcess, signedPower } from './emitter.ts'
import { createHouseholds, type HouseholdSpec, type Households, type Partition } from './households.ts'

const AREA_M2 = 90

/** Concrete and masonry: 35 W/m² at 30 K, 300 kJ/(m²·K) in walls and slabs. */
export const dwelling: Building = {
  airToOutside: 0.58 * AREA_M2,
  massToOutside: 0.67 * AREA_M2,
  airToMass: 4.5 * AREA_M2,
  airCapacity: 25e3 * AREA_M2,
  massCapacity: 300e3 * AREA_M2,
}

/** Walls and air that do not change for days, to test the emitter alone. */
export const stillRoom: Building = { ...dwelling, airCapacity: 1e14, massCapacity: 1e14 }

const design = { heat: watt(35 * AREA_M2), room: celsius(20) }
/** 3150 W at 50/40/20, 4.5 kJ/(m²·K). */
export const radiator = designRadiator({
  ...design,
  supply: celsius(50),
  back: celsius(40),
  capacity: 4500 * AREA_M2,
})
/** 3150 W at 40/35/20 from 72 m² of wet screed, 120 kJ/(m²·K). */
export const floor = designFloor(
  { ...design, supply: celsius(40), back: celsius(35), capacity: 120e3 * AREA_M2 },
  0.8 * AREA_M2,
)
export const DESIGN_FLOW_KG_S = { radiator: 3150 / 10 / 4187, floor: 3150 / 5 / 4187 }

/** Creates households; throws an Error with the refusal. */
export function makeHouseholds(
  specs: readonly HouseholdSpec[],
  partitions: readonly Partition[] = [],
  start = { airC: 20, emitterC: 35, outsideC: -5 },
): Households {
  const outcome = createHouseholds(specs, partitions, start)
  if (outcome.kind !== 'households') throw new Error(JSON.stringify(outcome))
  return outcome.households
}

/** A number of an array, by default the first; NaN if there is none. */
export const at = (values: ArrayLike<number>, index = 0): number => values[index] ?? Number.NaN

/** dT/dt of air, mass and emitter of every household, directly from the balances in formulas.md. */
function derivative(h: Households, state: Float64Array, outsideC: number): Float64Array {
  const rate = new Float64Array(state.length)
  for (let i = 0; i < h.count; i++) {
    const [air, mass, body] = [at(state, 3 * i), at(state, 3 * i + 1), at(state, 3 * i + 2)]
    const flow = at(h.flowKgS, i) * WATER_HEAT_CAPACITY
    const isFloor = at(h.isFloor, i) === 1
    const inlet = flow > 0 ? at(h.supplyC, i) - air : 0
    const gain = isFloor && flow > 0 ? flow * (1 - Math.exp(-at(h.waterConductance, i) / flow)) : flow
    const mean = isFloor ? body - air : meanExcess(inlet, body - air)
    const given = at(h.emitterCoefficient, i) * signedPower(mean, at(h.emitterExponent, i))
    const toMass = at(h.airToMass, i) * (air - mass)
    const airOut = at(h.airToOutside, i) * (air - outsideC)
    const massOut = at(h.massToOutside, i) * (mass - outsideC)
    rate[3 * i] = (given + at(h.airGainW, i) - airOut - toMass) / at(h.airCapacity, i)
    rate[3 * i + 1] = (toMass + at(h.massGainW, i) - massOut) / at(h.massCapacity, i)
    rate[3 * i + 2] = (gain * (inlet - (body - air)) - given) / at(h.emitterCapacity, i)
  }
  h.partitionConductance.forEach((conductance, k) => {
    const [from, to] = [at(h.partitionFrom, k), at(h.partitionTo, k)]
    const heat = conductance * (at(state, 3 * from + 1) - at(state, 3 * to + 1))
    rate[3 * from + 1] = at(rate, 3 * from + 1) - heat / at(h.massCapacity, from)
    rate[3 * to + 1] = at(rate, 3 * to + 1) + heat / at(h.massCapacity, to)
  })
  return rate
}

/** The same balances by classical Runge–Kutta in short steps: [air, mass, emitter] of each household, °C. */
export function integrate(h: Households, outsideC: number, durationS: number, stepS: number): Float64Array {
  let state = new Float64Array(3 * h.count)
  for (let i = 0; i < h.count; i++) state.set([at(h.airC, i), at(h.massC, i), at(h.emitterC, i)], 3 * i)
  const along = (rate: Float64Array, by: number) => state.map((value, i) => value + by * at(rate, i))
  const steps = Math.round(durationS / stepS)
  for (let step = 0; step < steps; step++) {
    const k1 = derivative(h, state, outsideC)
    const k2 = derivative(h, along(k1, stepS / 2), outsideC)
    const k3 = derivative(h, along(k2, stepS / 2), outsideC)
    const k4 = derivative(h, along(k3, stepS), outsideC)
    const sum = k1.map((value, i) => value + 2 * at(k2, i) + 2 * at(k3, i) + at(k4, i))
    state = along(sum, stepS / 6)
  }
  return state
}
