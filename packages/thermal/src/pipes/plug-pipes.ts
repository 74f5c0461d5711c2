import { COLDEST_C, checkStep, HOTTEST_C, MAX_FLOW_KG_S, within } from '../bounds.ts'
import { WATER_HEAT_CAPACITY } from '../water.ts'
import { feedStore, meanDecay, type OutletStore } from './outlet-store.ts'

/** A pipe for transport by parcels: heat capacity of water and wall, J/K, and loss to the ground, W/K, of its length. */
export interface PlugPipeSpec {
  readonly capacityJK: number
  readonly lossWK: number
  readonly startC: number
  /** Part of the capacity that is mixed at the outlet, which spreads fronts (`mixedCapacity`), J/K; none if left out. */
  readonly mixedJK?: number
}

/**
 * Many pipes, each a row of parcels of one temperature from its outlet to its inlet. Plug flow, delayed by the wall: water
 * also moves the heat of the wall, so a front travels at ṁc over the capacity per metre. A mixed store at the outlet spreads
 * the front as the film between water and wall does. All state is in the arrays (a snapshot is `parcelC`, `parcelJK`,
 * `first`, `used` and `mixedC`).
 */
export interface PlugPipes {
  readonly count: number
  /** Of all water and wall, and of its part in the mixed store. */
  readonly capacityJK: Float64Array
  readonly mixedJK: Float64Array
  readonly lossWK: Float64Array
  /** Mean of the last step of each pipe, W. */
  readonly lostW: Float64Array
  readonly slots: number
  readonly parcelC: Float64Array
  readonly parcelJK: Float64Array
  /** Temperature of the mixed store of each pipe. */
  readonly mixedC: Float64Array
  /** Slot of the parcel at the outlet, and number of parcels up to the inlet; slots form a ring. */
  readonly first: Int32Array
  readonly used: Int32Array
}

/** Maximum number of parcels in a pipe. If more arrive, the two most similar neighbours are joined. */
const SLOTS = 24

/** A smaller share of a pipe counts as none, mixed or passing in a step: it would be lost in the rounding of the parcels' capacity. */
const MIN_SHARE = 1e-12

/**
 * Pipes full of water of one temperature. Throws a RangeError for a capacity that is not positive, a negative loss, or a mixed
 * part that is not below the capacity.
 */
export function createPlugPipes(specs: readonly PlugPipeSpec[], slots = SLOTS): PlugPipes {
  if (!(Number.isInteger(slots) && slots >= 2)) throw new RangeError(`a pipe of ${slots} parcels`)
  const parcelC = new Float64Array(specs.length * slots)
  const parcelJK = new Float64Array(specs.length * slots)
  const mixedJK = new Float64Array(specs.length)
  for (const [index, { capacityJK, lossWK, startC, mixedJK: mixed = 0 }] of specs.entries()) {
    if (!(capacityJK > 0 && capacityJK < 1e15 && lossWK >= 0 && lossWK < 1e15))
      throw new RangeError(`pipe ${index}: a capacity of ${capacityJK} J/K and a loss of ${lossWK} W/K`)
    if (!(mixed >= 0 && mixed < capacityJK))
      throw new RangeError(`pipe ${index}: ${mixed} of ${capacityJK} J/K are mixed`)
    parcelC[index * slots] = startC
    if (mixed > MIN_SHARE * capacityJK) mixedJK[index] = mixed
    parcelJK[index * slots] = capacityJK - (mixedJK[index] ?? 0)
  }
  return {
    count: specs.length,
    capacityJK: Float64Array.from(specs, (spec) => spec.capacityJK),
    mixedJK,
    lossWK: Float64Array.from(specs, (spec) => spec.lossWK),
    lostW: new Float64Array(specs.length),
    slots,
    parcelC,
    parcelJK,
    mixedC: Float64Array.from(specs, (spec) => spec.startC),
    first: new Int32Array(specs.length),
    used: new Int32Array(specs.length).fill(1),
  }
}

/** Index in the arrays of a pipe's parcel number `k` from the outlet. */
function slotOf(p: PlugPipes, pipe: number, k: number): number {
  const at = (p.first[pipe] ?? 0) + k
  return pipe * p.slots + (at < p.slots ? at : at - p.slots)
}

/** Heat in a pipe's water and wall above 0 °C, J. */
export function plugHeat(p: PlugPipes, pipe: number): number {
  let heat = (p.mixedJK[pipe] ?? 0) * (p.mixedC[pipe] ?? 0)
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
  let min = Number.POSITIVE_INFINITY
  for (let k = 0; k + 1 < used; k++) {
    const a = slotOf(p, pipe, k)
    const b = slotOf(p, pipe, k + 1)
    const capA = p.parcelJK[a] ?? 0
    const capB = p.parcelJK[b] ?? 0
    const loss = ((capA * capB) / (capA + capB)) * ((p.parcelC[a] ?? 0) - (p.parcelC[b] ?? 0)) ** 2
    if (loss < min) {
      min = loss
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

/** A step of one pipe: capacity flow W/K, decay and feed of the store 1/s, ground °C. Scratch. */
const flowing = { perS: 0, rate: 0, feed: 0, groundC: 0 }
/** The mixed store during a step, and ∫ excess dt of all its stretches. Scratch. */
const store: OutletStore & { total: number } = { excess: 0, sum: 0, total: 0 }
/** Heat above the ground of the parcels that left, at the start of the step and when they left, J. Scratch. */
const drained = { before: 0, out: 0 }
/** Heat above the ground of the water that entered and stays, when it entered and at the end of the step, and of the rest, J. */
const entered = { before: 0, now: 0, through: 0 }

function feed(inflow: number, fade: number, lengthS: number): void {
  feedStore(store, inflow, fade, flowing.feed, flowing.rate, lengthS)
  store.total += store.sum
}

/** Removes parcels of `moved` J/K in total; each cools until it leaves, forwards into the store. */
function drain(p: PlugPipes, pipe: number, moved: number, isForward: boolean): void {
  const { perS, rate, groundC } = flowing
  drained.before = 0
  drained.out = 0
  let left = moved
  while (left > 0 && (p.used[pipe] ?? 0) > 0) {
    const slot = slotOf(p, pipe, isForward ? 0 : (p.used[pipe] ?? 1) - 1)
    const holds = p.parcelJK[slot] ?? 0
    const taken = Math.min(left, holds)
    const excess = (p.parcelC[slot] ?? 0) - groundC
    const decay = Math.exp((-rate * (moved - left)) / perS)
    drained.before += taken * excess
    drained.out += taken * excess * decay * meanDecay((rate * taken) / perS)
    if (isForward && flowing.feed > 0) feed(excess * decay, rate, taken / perS)
    left -= taken
    p.parcelJK[slot] = holds - taken
    if (holds > taken) break
    if (isForward) p.first[pipe] = slotOf(p, pipe, 1) - pipe * p.slots
    p.used[pipe] = (p.used[pipe] ?? 1) - 1
  }
}

/** Lets `moved` J/K of water in that stay, after water that passes through for `throughS`; backwards it comes by the store. */
function enter(moved: number, throughS: number, excess: number, isForward: boolean): void {
  const { perS, rate } = flowing
  const insideS = moved / perS
  entered.before = moved * excess
  entered.now = entered.before * meanDecay(rate * insideS)
  entered.through = throughS * perS * excess
  if (isForward || flowing.feed === 0) return
  feed(excess, 0, throughS)
  entered.through = perS * store.sum
  // What leaves the store, followed·(1 − e^(−(feed + rate)·t)) + …, cools from then on until the end of the step.
  const followed = (excess * flowing.feed) / (flowing.feed + rate)
  const rest = (store.excess - followed) * Math.exp(-rate * insideS) * meanDecay(flowing.feed * insideS)
  entered.now = moved * (followed * meanDecay(rate * insideS) + rest)
  feed(excess, 0, insideS)
  entered.before = perS * store.sum
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
  const mixed = p.mixedJK[pipe] ?? 0
  const capacity = (p.capacityJK[pipe] ?? 1) - mixed
  const rate = (p.lossWK[pipe] ?? 0) / (p.capacityJK[pipe] ?? 1)
  const isForward = !(flowKgS < 0)
  const perS = Math.min(MAX_FLOW_KG_S, Math.abs(flowKgS)) * WATER_HEAT_CAPACITY
  const passing = perS * stepS > MIN_SHARE * capacity ? perS * stepS : 0
  const moved = Math.min(passing, capacity)
  const insideS = moved > 0 ? moved / perS : 0
  // More water than the parcels hold passes through within the step.
  const throughS = passing > moved ? stepS - insideS : 0
  flowing.perS = perS
  flowing.rate = rate
  flowing.feed = moved > 0 && mixed > 0 ? perS / mixed : 0
  flowing.groundC = ground
  store.excess = (p.mixedC[pipe] ?? 0) - ground
  store.total = 0
  drained.before = drained.out = entered.before = entered.now = entered.through = 0
  if (moved > 0) drain(p, pipe, moved, isForward)
  const stays = cool(p, pipe, Math.exp(-rate * stepS), ground)
  if (moved > 0) {
    enter(moved, throughS, excess, isForward)
    push(p, pipe, moved, ground + entered.now / moved, isForward)
  }
  const passed = entered.through * Math.exp(-rate * insideS)
  if (flowing.feed > 0 && isForward && throughS > 0) feed(passed / (perS * throughS), 0, throughS)
  if (flowing.feed === 0) feed(0, 0, stepS)
  p.mixedC[pipe] = ground + store.excess
  const ofParcels = drained.before - drained.out - stays * Math.expm1(-rate * stepS)
  const ofInflow = entered.before - entered.now + entered.through - passed
  p.lostW[pipe] = (ofParcels + ofInflow + mixed * rate * store.total) / stepS
  if (passing === 0) return mixed > 0 ? ground + store.excess : (p.parcelC[slotOf(p, pipe, 0)] ?? ground)
  if (mixed > 0 && isForward) return ground + store.total / stepS
  return ground + (drained.out + passed) / passing
}
