import { COLDEST_C, checkStep, HOTTEST_C, MAX_FLOW_KG_S, within } from '../bounds.ts'
import { WATER_HEAT_CAPACITY } from '../water.ts'
import { computeDecay } from './building.ts'
import { solveEmitterStep } from './emitter-step.ts'
import { type Households, LONGEST_PART_S } from './households.ts'

/** Largest gain of a household, W; larger values are clamped. */
const MAX_HEAT_W = 1e6

// Working memory of the step; only one step runs at a time.
const emitter = { isFloor: false, coefficient: 0, exponent: 1, capacity: 1, gain: 0, inlet: 0, start: 0 }
const result = { mean: 0, end: 0, taken: 0 }

function prepare(h: Households, partS: number): void {
  if (h.preparedS === partS) return
  h.preparedS = partS
  for (let i = 0; i < h.count; i++) {
    const decay = computeDecay(
      {
        airToOutside: h.airToOutside[i] ?? 0,
        massToOutside: h.massToOutside[i] ?? 0,
        airToMass: h.airToMass[i] ?? 0,
        airCapacity: h.airCapacity[i] ?? 0,
        massCapacity: h.massCapacity[i] ?? 0,
      },
      partS,
    )
    h.decay[4 * i] = decay.airToAir
    h.decay[4 * i + 1] = decay.massToAir
    h.decay[4 * i + 2] = decay.airToMass
    h.decay[4 * i + 3] = decay.massToMass
  }
  for (let k = 0; k < h.exchangeJK.length; k++) {
    const from = h.massCapacity[h.partitionFrom[k] ?? 0] ?? 1
    const to = h.massCapacity[h.partitionTo[k] ?? 0] ?? 1
    const both = (from * to) / (from + to)
    // Half a step: each exchange is applied once before and once after the households' own step.
    h.exchangeJK[k] = -both * Math.expm1((-(h.partitionConductance[k] ?? 0) * partS) / 2 / both)
  }
}

/** Exchanges heat between the two sides of a partition for half a part; exact for two isolated stores. */
function exchange(h: Households, k: number): void {
  const from = h.partitionFrom[k] ?? 0
  const to = h.partitionTo[k] ?? 0
  const here = h.massC[from] ?? 0
  const there = h.massC[to] ?? 0
  const heat = (h.exchangeJK[k] ?? 0) * (here - there)
  h.massC[from] = here - heat / (h.massCapacity[from] ?? 1)
  h.massC[to] = there + heat / (h.massCapacity[to] ?? 1)
}

/** Advances the emitter; returns its heat to the room, W. */
function emit(h: Households, i: number, partS: number, weight: number): number {
  const room = h.airC[i] ?? 0
  const flow = within(h.flowKgS[i] ?? 0, 0, MAX_FLOW_KG_S) * WATER_HEAT_CAPACITY
  const conductance = h.waterConductance[i] ?? 0
  emitter.isFloor = h.isFloor[i] === 1
  emitter.coefficient = h.emitterCoefficient[i] ?? 0
  emitter.exponent = h.emitterExponent[i] ?? 1
  emitter.capacity = h.emitterCapacity[i] ?? 1
  emitter.gain = emitter.isFloor && flow > 0 ? -flow * Math.expm1(-conductance / flow) : flow
  emitter.inlet = flow > 0 ? within(h.supplyC[i] ?? 0, COLDEST_C, HOTTEST_C) - room : 0
  emitter.start = (h.emitterC[i] ?? 0) - room
  solveEmitterStep(emitter, partS, result)
  h.emitterC[i] = room + result.end
  const back = flow > 0 ? room + emitter.inlet - result.taken / flow : room + result.end
  const given = result.taken - (emitter.capacity * (result.end - emitter.start)) / partS
  h.returnC[i] = (h.returnC[i] ?? 0) + weight * back
  h.takenW[i] = (h.takenW[i] ?? 0) + weight * result.taken
  h.emittedW[i] = (h.emittedW[i] ?? 0) + weight * given
  return given
}

/** Advances air and mass exactly, with constant heat and weather; returns the heat loss to outside, W. */
function settle(
  h: Households,
  i: number,
  outsideC: number,
  airW: number,
  massW: number,
  partS: number,
): number {
  const ao = h.airToOutside[i] ?? 0
  const mo = h.massToOutside[i] ?? 0
  const am = h.airToMass[i] ?? 0
  // Determinant of the steady state, (ao + am)(mo + am) − am², written without a difference of two large numbers.
  const determinant = ao * mo + am * (ao + mo)
  const airEnd = outsideC + ((mo + am) * airW + am * massW) / determinant
  const massEnd = outsideC + ((ao + am) * massW + am * airW) / determinant
  const air0 = h.airC[i] ?? 0
  const mass0 = h.massC[i] ?? 0
  const air = air0 - airEnd
  const mass = mass0 - massEnd
  const air1 = airEnd + (h.decay[4 * i] ?? 0) * air + (h.decay[4 * i + 1] ?? 0) * mass
  const mass1 = massEnd + (h.decay[4 * i + 2] ?? 0) * air + (h.decay[4 * i + 3] ?? 0) * mass
  h.airC[i] = air1
  h.massC[i] = mass1
  const stored = (h.airCapacity[i] ?? 0) * (air1 - air0) + (h.massCapacity[i] ?? 0) * (mass1 - mass0)
  return airW + massW - stored / partS
}

/**
 * Advances all households by `stepS` seconds (any length above 0) with constant inputs and weather. Always stable and energy
 * conserving. Air and walls of each household are exact; emitters are of second order; neighbours exchange heat through their
 * partitions before and after (Strang splitting), each pair exactly. Allocates only if the length of its parts (`stepS` divided
 * into at most 300 s) has changed.
 * Source: docs/domain/formulas.md, households; worked example: step-households.test.ts.
 */
export function stepHouseholds(h: Households, outdoorC: number, stepS: number): void {
  checkStep(stepS)
  const outsideC = within(outdoorC, COLDEST_C, HOTTEST_C)
  const parts = Math.ceil(stepS / LONGEST_PART_S)
  const partS = stepS / parts
  const weight = 1 / parts
  prepare(h, partS)
  h.returnC.fill(0)
  h.takenW.fill(0)
  h.emittedW.fill(0)
  h.lostW.fill(0)
  for (let part = 0; part < parts; part++) {
    for (let k = 0; k < h.exchangeJK.length; k++) exchange(h, k)
    for (let i = 0; i < h.count; i++) {
      const given = emit(h, i, partS, weight)
      const airW = given + within(h.airGainW[i] ?? 0, -MAX_HEAT_W, MAX_HEAT_W)
      const massW = within(h.massGainW[i] ?? 0, -MAX_HEAT_W, MAX_HEAT_W)
      h.lostW[i] = (h.lostW[i] ?? 0) + weight * settle(h, i, outsideC, airW, massW, partS)
    }
    for (let k = h.exchangeJK.length - 1; k >= 0; k--) exchange(h, k)
  }
}
