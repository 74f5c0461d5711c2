import { COLDEST_C, checkStep, HOTTEST_C, MOST_FLOW_KG_S, within } from '../bounds.ts'
import { WATER_HEAT_CAPACITY } from '../water.ts'

/** A pipe for transport by parcels: heat capacity of water and wall, J/K, and loss to the ground, W/K, of its length. */
export interface PlugPipeSpec {
  readonly capacityJK: number
  readonly lossWK: number
  readonly startC: number
}

/**
 * Many pipes, each a row of parcels of one temperature from its outlet to its inlet. Plug flow, delayed by the wall: water
 * also moves the heat of the wall, so a front travels at ṁc over the capacity per metre. All state is in the arrays (a
 * snapshot is `parcelC`, `parcelJK`, `first` and `used`).
 */
export interface PlugPipes {
  readonly count: number
  readonly capacityJK: Float64Array
  readonly lossWK: Float64Array
  /** Mean of the last step of each pipe, W. */
  readonly lostW: Float64Array
  readonly slots: number
  readonly parcelC: Float64Array
  readonly parcelJK: Float64Array
  /** Slot of the parcel at the outlet, and number of parcels up to the inlet; slots form a ring. */
  readonly first: Int32Array
  readonly used: Int32Array
}

/** Most parcels of a pipe; if more arrive, the two most similar neighbours are joined. */
const SLOTS = 24

/** Pipes full of water of one temperature. Throws a RangeError for a capacity that is not positive or a negative loss. */
export function createPlugPipes(specs: readonly PlugPipeSpec[], slots = SLOTS): PlugPipes {
  if (!(Number.isInteger(slots) && slots >= 2)) throw new RangeError(`a pipe of ${slots} parcels`)
  const parcelC = new Float64Array(specs.length * slots)
  const parcelJK = new Float64Array(specs.length * slots)
  for (const [index, { capacityJK, lossWK, startC }] of specs.entries()) {
    if (!(capacityJK > 0 && capacityJK < 1e15 && lossWK >= 0 && lossWK < 1e15))
      throw new RangeError(`pipe ${index}: a capacity of ${capacityJK} J/K and a loss of ${lossWK} W/K`)
    parcelC[index * slots] = startC
    parcelJK[index * slots] = capacityJK
  }
  return {
    count: specs.length,
    capacityJK: Float64Array.from(specs, (spec) => spec.capacityJK),
    lossWK: Float64Array.from(specs, (spec) => spec.lossWK),
    lostW: new Float64Array(specs.length),
    slots,
    parcelC,
    parcelJK,
    first: new Int32Array(specs.length),
    used: new Int32Array(specs.length).fill(1),
  }
}

/** Mean of exp(−x·s) for s from 0 to 1. */
const meanDecay = (x: number): number => (x < 1e-9 ? 1 - x / 2 : -Math.expm1(-x) / x)

/** Index in the arrays of a pipe's parcel number `k` from the outlet. */
function slotOf(p: PlugPipes, pipe: number, k: number): number {
  const at = (p.first[pipe] ?? 0) + k
  return pipe * p.slots + (at < p.slots ? at : at - p.slots)
}

/** Heat in a pipe's water and wall above 0 °C, J. */
export function plugHeat(p: PlugPipes, pipe: number): number {
  let heat = 0
  for (let k = 0; k < (p.used[pipe] ?? 0); k++) {
    const slot = slotOf(p, pipe, k)
    heat += (p.parcelJK[slot] ?? 0) * (p.parcelC[slot] ?? 0)
  }
  return heat
}

/** Makes space for one more parcel: joins the two neighbours with the smallest difference, weighted by their capacity. */
function joinNearest(p: PlugPipes, pipe: number): void {
  const used = p.used[pipe] ?? 0
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k + 1 < used; k++) {
    const a = slotOf(p, pipe, k)
    const b = slotOf(p, pipe, k + 1)
    const capA = p.parcelJK[a] ?? 0
    const capB = p.parcelJK[b] ?? 0
    const loss = ((capA * capB) / (capA + capB)) * ((p.parcelC[a] ?? 0) - (p.parcelC[b] ?? 0)) ** 2
    if (loss < least) {
      least = loss
      best = k
    }
  }
  const a = slotOf(p, pipe, best)
  const b = slotOf(p, pipe, best + 1)
  const both = (p.parcelJK[a] ?? 0) + (p.parcelJK[b] ?? 0)
  p.parcelC[a] =
    ((p.parcelJK[a] ?? 0) * (p.parcelC[a] ?? 0) + (p.parcelJK[b] ?? 0) * (p.parcelC[b] ?? 0)) / both
  p.parcelJK[a] = both
  for (let k = best + 1; k + 1 < used; k++) {
    const to = slotOf(p, pipe, k)
    const from = slotOf(p, pipe, k + 1)
    p.parcelC[to] = p.parcelC[from] ?? 0
    p.parcelJK[to] = p.parcelJK[from] ?? 0
  }
  p.used[pipe] = used - 1
}

/** Puts a parcel in at the inlet (`isForward`) or, when water runs backwards, at the outlet. */
function push(
  p: PlugPipes,
  pipe: number,
  capacityJK: number,
  temperatureC: number,
  isForward: boolean,
): void {
  if (p.used[pipe] === p.slots) joinNearest(p, pipe)
  if (!isForward) p.first[pipe] = ((p.first[pipe] ?? 0) + p.slots - 1) % p.slots
  const slot = slotOf(p, pipe, isForward ? (p.used[pipe] ?? 0) : 0)
  p.parcelC[slot] = temperatureC
  p.parcelJK[slot] = capacityJK
  p.used[pipe] = (p.used[pipe] ?? 0) + 1
}

/** Heat above the ground of the parcels that left, at the start of the step and when they left, J. Scratch. */
const drained = { before: 0, out: 0 }

/** Removes parcels of `moved` J/K in total at `perS` J/(K·s); each cools at `rate` 1/s until it leaves. */
function drain(
  p: PlugPipes,
  pipe: number,
  moved: number,
  perS: number,
  rate: number,
  groundC: number,
  isForward: boolean,
): void {
  drained.before = 0
  drained.out = 0
  let left = moved
  while (left > 0 && (p.used[pipe] ?? 0) > 0) {
    const slot = slotOf(p, pipe, isForward ? 0 : (p.used[pipe] ?? 1) - 1)
    const holds = p.parcelJK[slot] ?? 0
    const taken = Math.min(left, holds)
    const heat = taken * ((p.parcelC[slot] ?? 0) - groundC)
    const sinceS = (moved - left) / perS
    drained.before += heat
    drained.out += heat * Math.exp(-rate * sinceS) * meanDecay((rate * taken) / perS)
    left -= taken
    p.parcelJK[slot] = holds - taken
    if (holds > taken) break
    if (isForward) p.first[pipe] = slotOf(p, pipe, 1) - pipe * p.slots
    p.used[pipe] = (p.used[pipe] ?? 1) - 1
  }
}

/** Cools the remaining parcels; returns their heat above the ground before that, J. */
function cool(p: PlugPipes, pipe: number, decay: number, groundC: number): number {
  let heat = 0
  for (let k = 0; k < (p.used[pipe] ?? 0); k++) {
    const slot = slotOf(p, pipe, k)
    const excess = (p.parcelC[slot] ?? 0) - groundC
    heat += (p.parcelJK[slot] ?? 0) * excess
    p.parcelC[slot] = groundC + excess * decay
  }
  return heat
}

/** A smaller share of a pipe per step counts as no flow: it would be lost in the rounding of the parcels' capacity. */
const LEAST_SHARE = 1e-12

/**
 * Moves water through a pipe for a step and returns the mean temperature of the leaving water, °C; without flow that at the
 * outlet. `inletC`: temperature at the end where water enters, which is the outlet if the flow (kg/s) is negative. Delay, decay
 * and energy are exact for a constant flow and inlet at any step length. Only temperature differences within one parcel are
 * averaged.
 * Throws a RangeError for a step that is not positive. Source: docs/domain/formulas.md, pipe by parcels; worked example: plug-pipes.test.ts.
 */
export function stepPlugPipe(
  p: PlugPipes,
  pipe: number,
  flowKgS: number,
  inletC: number,
  groundC: number,
  stepS: number,
): number {
  checkStep(stepS)
  const ground = within(groundC, COLDEST_C, HOTTEST_C)
  const excess = within(inletC, COLDEST_C, HOTTEST_C) - ground
  const capacity = p.capacityJK[pipe] ?? 1
  const rate = (p.lossWK[pipe] ?? 0) / capacity
  const isForward = !(flowKgS < 0)
  const perS = Math.min(MOST_FLOW_KG_S, Math.abs(flowKgS)) * WATER_HEAT_CAPACITY
  const passing = perS * stepS > LEAST_SHARE * capacity ? perS * stepS : 0
  const moved = Math.min(passing, capacity)
  const insideS = moved > 0 ? moved / perS : 0
  if (moved > 0) drain(p, pipe, moved, perS, rate, ground, isForward)
  else drained.before = drained.out = 0
  const stays = cool(p, pipe, Math.exp(-rate * stepS), ground)
  const entered = moved * excess
  const arrived = entered * meanDecay(rate * insideS)
  if (moved > 0) push(p, pipe, moved, ground + arrived / moved, isForward)
  // More water than the volume of the pipe passes through within the step.
  const through = (passing - moved) * excess
  const passed = through * Math.exp(-rate * insideS)
  const lost = drained.before - drained.out - stays * Math.expm1(-rate * stepS) + entered - arrived
  p.lostW[pipe] = (lost + through - passed) / stepS
  if (passing > 0) return ground + (drained.out + passed) / passing
  return p.parcelC[slotOf(p, pipe, 0)] ?? ground
}
