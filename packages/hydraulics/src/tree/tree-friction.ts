import { type Friction, writeFriction } from '../elements/friction.ts'
import { roughLogarithm, roughSlope, toCell } from '../elements/rough-wall.ts'
import type { TreeNetwork } from './tree-network.ts'

/** Share of the tolerance for S outside turbulent flow: a laminar pipe can double the errors of its upstream pipes. */
const OTHER_TOLERANCE = 0.25
/** Share by which a step to the next S is reduced, per exponent n. */
const STEP_REDUCTION = 0.25

/** State of the friction iteration, by place in sweep order. Flows kg/s, S Pa/(kg/s)². */
export interface TreeFriction {
  readonly flow: Float64Array
  /** S for the next sweep. */
  readonly resistance: Float64Array
  /** Whether all places were within the table of rough walls in the last update. */
  areTabled: boolean
  readonly friction: Friction
}

export function createTreeFriction(pipeCount: number): TreeFriction {
  return {
    flow: new Float64Array(pipeCount),
    resistance: new Float64Array(pipeCount),
    areTabled: false,
    friction: { factor: 0, exponent: 0 },
  }
}

/**
 * Next resistance S of the iteration. If S is proportional to ṁⁿ, an error of S causes between none and half of it as
 * an error of the flow, depending on the pipe's share of its path's head; so the next S has an error of 0 to −n/2
 * times the old one. Following only 1/(1 + n/4) of the change (by its series) leaves about |n|/4 of the error in both
 * extreme cases: 4 % in turbulent flow, and no oscillation between laminar and turbulent flow, where n is near 1.
 */
function toNextResistance(before: number, fresh: number, reduction: number): number {
  const next = before + (fresh - before) * (1 - reduction * (1 - reduction))
  // Far from the solution, following more than the whole change could lead below zero.
  return next > 0.5 * fresh ? next : fresh
}

/**
 * Updates each S by Swamee-Jain at the present flows. Returns whether each S was within the tolerance. Outside the
 * range of the table S does not change. `reduction`: share by which a step is reduced, per exponent n. The loop has
 * no branches that only some networks take, because the compiler would otherwise not hoist its invariants.
 */
function updateTabledPipes(
  { sweep, pipeCount }: TreeNetwork,
  state: TreeFriction,
  tolerance: number,
  reduction: number,
): boolean {
  const { roughScale, roughLog, tabledScale, localScale, minTabled } = sweep
  const { flow, resistance } = state
  let isSettled = true
  let areTabled = true
  for (let k = 0; k < pipeCount; k++) {
    const now = flow[k] ?? 0
    const t = (roughScale[k] ?? 0) * now
    const cell = toCell(t)
    const inverseLog = 1 / ((roughLog[k] ?? 0) + roughLogarithm(t, cell))
    const fresh = (tabledScale[k] ?? 0) * inverseLog * inverseLog + (localScale[k] ?? 0)
    const before = resistance[k] ?? 0
    // λ is proportional to 1/logarithm². That a local loss has n = 0 is neglected, because it is small.
    const next = toNextResistance(before, fresh, -2 * reduction * roughSlope(cell) * inverseLog)
    if (now >= (minTabled[k] ?? 0)) {
      if (Math.abs(fresh - before) > tolerance * fresh) isSettled = false
      resistance[k] = next
    } else areTabled = false
  }
  state.areTabled = areTabled
  return isSettled
}

/**
 * Updates each S outside the range of the table by the law of the network. Returns whether each was within the
 * tolerance. Without flow S does not change. A loop of its own, because function calls slow down a loop.
 */
function updateOtherPipes(
  { sweep, pipeCount, friction: law }: TreeNetwork,
  { flow, resistance, friction }: TreeFriction,
  tolerance: number,
  reduction: number,
): boolean {
  const { reynoldsScale, relativeRoughness, frictionScale, localScale, minTabled } = sweep
  let isSettled = true
  for (let k = 0; k < pipeCount; k++) {
    const now = flow[k] ?? 0
    if (now >= (minTabled[k] ?? 0) || !(now > 0)) continue
    writeFriction(friction, (reynoldsScale[k] ?? 0) * now, relativeRoughness[k] ?? 0, law)
    const ofFriction = (frictionScale[k] ?? 0) * friction.factor
    const fresh = ofFriction + (localScale[k] ?? 0)
    const n = fresh > 0 ? (ofFriction / fresh) * friction.exponent : 0
    const before = resistance[k] ?? 0
    if (Math.abs(fresh - before) > tolerance * fresh) isSettled = false
    resistance[k] = toNextResistance(before, fresh, reduction * n)
  }
  return isSettled
}

function updatePipes(
  network: TreeNetwork,
  state: TreeFriction,
  tolerance: number,
  reduction: number,
): boolean {
  const areTabledSettled = updateTabledPipes(network, state, tolerance, reduction)
  if (state.areTabled) return areTabledSettled
  return updateOtherPipes(network, state, OTHER_TOLERANCE * tolerance, reduction) && areTabledSettled
}

/** Moves every S towards its value at the present flows. Returns whether each relative error was within `tolerance`. */
export const updateFriction = (network: TreeNetwork, state: TreeFriction, tolerance: number): boolean =>
  updatePipes(network, state, tolerance, STEP_REDUCTION)

/** S at a typical speed. */
export function guessFriction({ sweep }: TreeNetwork, { resistance }: TreeFriction): void {
  resistance.set(sweep.typicalResistance)
}

/** S at the present flows; at a typical speed for pipes without flow. */
export function startFriction(network: TreeNetwork, state: TreeFriction): void {
  guessFriction(network, state)
  updatePipes(network, state, 0, 0)
}
