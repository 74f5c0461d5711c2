import {
  type Friction,
  swameeJainExponent,
  swameeJainFactor,
  TURBULENT_LIMIT,
  toInner,
  writeFriction,
} from './friction.ts'
import { logarithm, smoothTerm, TABLED_REYNOLDS } from './friction-functions.ts'
import type { TreeNetwork } from './tree-network.ts'

/** The furthest from where friction was worked out, by part of the flow there, that a power law may stand for it. */
export const NEAREST = 0.05
/** The least Re where friction has one: all that is near it is turbulent too. Below, λ bends many times as much. */
const LEAST_ANCHORED = TURBULENT_LIMIT / (1 - NEAREST)
/** Of the tolerance, for S of other flow: a laminar pipe gives on the errors of what feeds it up to twice as large. */
const OTHER_TOLERANCE = 0.25

/** How a tree's friction is followed from flows to flows, by place in the order of the sweeps. Flows kg/s, S Pa/(kg/s)². */
export interface TreeFriction {
  readonly flow: Float64Array
  /** S that the next sweep counts with. */
  readonly resistance: Float64Array
  /** The flow at which each pipe's friction was last worked out; −1, which no flow is near, where that is not turbulent enough. */
  readonly anchorFlow: Float64Array
  /** S there, and the n by which it goes with ṁⁿ. */
  readonly anchorResistance: Float64Array
  readonly exponent: Float64Array
  /** The places whose friction is to be worked out anew, and how many they are. */
  readonly far: Int32Array
  farCount: number
  hasAnchors: boolean
  /** Of those places, one after the other: Swamee-Jain's smooth term, 0 where its tables do not serve, and 1 / its logarithm. */
  readonly smooth: Float64Array
  readonly inverseLog: Float64Array
  readonly friction: Friction
}

export function createTreeFriction(pipeCount: number): TreeFriction {
  return {
    flow: new Float64Array(pipeCount),
    resistance: new Float64Array(pipeCount),
    anchorFlow: new Float64Array(pipeCount),
    anchorResistance: new Float64Array(pipeCount),
    exponent: new Float64Array(pipeCount),
    far: new Int32Array(pipeCount),
    farCount: 0,
    hasAnchors: false,
    smooth: new Float64Array(pipeCount),
    inverseLog: new Float64Array(pipeCount),
    friction: { factor: 0, exponent: 0 },
  }
}

/**
 * S to go on with. Where S goes with ṁⁿ, a wrong S puts the flow wrong by between none and half of it, the more the more of
 * its path's head the pipe takes; so the next S is wrong by 0 to −n/2 times as much. To follow only 1/(1 + n/4) of the way,
 * by its series, leaves about |n|/4 of an error at either end: 4 % in turbulent flow, and no endless swinging between
 * laminar and turbulent flow, where n is near 1.
 */
function follow(before: number, fresh: number, n: number): number {
  const next = before + (fresh - before) * (1 - 0.25 * n * (1 - 0.25 * n))
  // Far from the solution to follow further than the whole way could lead below zero.
  return next > 0.5 * fresh ? next : fresh
}

/**
 * Near where a pipe's friction was worked out S follows its power law, which is off by about near²/100; other places where
 * water flows are listed as far. Answers whether each S was within the tolerance.
 */
function followNear(state: TreeFriction, near: number, tolerance: number): boolean {
  const { flow, resistance, anchorFlow, anchorResistance, exponent, far } = state
  let isSettled = true
  let count = 0
  for (let k = 0; k < flow.length; k++) {
    const now = flow[k] ?? 0
    const anchor = anchorFlow[k] ?? 0
    const n = exponent[k] ?? 0
    const before = resistance[k] ?? 0
    const part = now / anchor - 1
    const fresh = (anchorResistance[k] ?? 0) * (1 + n * part * (1 + 0.5 * (n - 1) * part))
    if (Math.abs(part) < near) {
      if (Math.abs(fresh - before) > tolerance * fresh) isSettled = false
      resistance[k] = follow(before, fresh, n)
    } else if (now > 0) {
      far[count++] = k
    }
  }
  state.farCount = count
  return isSettled
}

function listFlowing(state: TreeFriction): void {
  const { flow, far } = state
  let count = 0
  for (let k = 0; k < flow.length; k++) if ((flow[k] ?? 0) > 0) far[count++] = k
  state.farCount = count
}

// Powers, logarithms and the rest have a loop each: in one, each pipe would wait for all three before the next can begin.

function writeSmooth({ sweep }: TreeNetwork, { flow, far, smooth, farCount }: TreeFriction): void {
  const { reynoldsScale } = sweep
  const least = Math.max(LEAST_ANCHORED, sweep.leastTabled)
  for (let index = 0; index < farCount; index++) {
    const k = far[index] ?? 0
    const reynolds = (reynoldsScale[k] ?? 0) * (flow[k] ?? 0)
    const term = smoothTerm(reynolds)
    smooth[index] = reynolds >= least && reynolds < TABLED_REYNOLDS ? term : 0
  }
}

function writeInverseLogs({ sweep }: TreeNetwork, { far, smooth, inverseLog, farCount }: TreeFriction): void {
  const { relativeRoughness } = sweep
  for (let index = 0; index < farCount; index++) {
    const roughness = relativeRoughness[far[index] ?? 0] ?? 0
    inverseLog[index] = 1 / logarithm(toInner(smooth[index] ?? 0, roughness))
  }
}

/**
 * Swamee-Jain at the flows of the places listed as far. Answers whether each S was within the tolerance. Where its tables
 * do not serve S stays; to leave those places out would make this loop slower by half for all others.
 */
function followTurbulent({ sweep }: TreeNetwork, state: TreeFriction, tolerance: number): boolean {
  const { relativeRoughness, frictionScale, localScale } = sweep
  const { flow, resistance, anchorFlow, anchorResistance, exponent } = state
  const { far, farCount, smooth, inverseLog } = state
  let isSettled = true
  for (let index = 0; index < farCount; index++) {
    const k = far[index] ?? 0
    const now = flow[k] ?? 0
    const term = smooth[index] ?? 0
    const inverse = inverseLog[index] ?? 0
    const ofFriction = (frictionScale[k] ?? 0) * swameeJainFactor(inverse)
    const fresh = ofFriction + (localScale[k] ?? 0)
    const share = fresh > 0 ? ofFriction / fresh : 0
    const n = share * swameeJainExponent(inverse, term, toInner(term, relativeRoughness[k] ?? 0))
    const before = resistance[k] ?? 0
    const serves = term > 0
    if (serves && Math.abs(fresh - before) > tolerance * fresh) isSettled = false
    resistance[k] = serves ? follow(before, fresh, n) : before
    anchorFlow[k] = serves ? now : -1
    anchorResistance[k] = fresh
    exponent[k] = n
  }
  return isSettled
}

/** The same for the places left: apart, since a loop that calls a function goes slower throughout. */
function followOther({ sweep, friction: law }: TreeNetwork, state: TreeFriction, tolerance: number): boolean {
  const { reynoldsScale, relativeRoughness, frictionScale, localScale } = sweep
  const { flow, resistance, anchorFlow, anchorResistance, exponent } = state
  const { far, farCount, smooth, friction } = state
  let isSettled = true
  for (let index = 0; index < farCount; index++) {
    if ((smooth[index] ?? 0) > 0) continue
    const k = far[index] ?? 0
    const now = flow[k] ?? 0
    const reynolds = (reynoldsScale[k] ?? 0) * now
    writeFriction(friction, reynolds, relativeRoughness[k] ?? 0, law)
    const ofFriction = (frictionScale[k] ?? 0) * friction.factor
    const fresh = ofFriction + (localScale[k] ?? 0)
    const n = fresh > 0 ? (ofFriction / fresh) * friction.exponent : 0
    const before = resistance[k] ?? 0
    if (Math.abs(fresh - before) > tolerance * fresh) isSettled = false
    resistance[k] = follow(before, fresh, n)
    anchorFlow[k] = reynolds >= LEAST_ANCHORED ? now : -1
    anchorResistance[k] = fresh
    exponent[k] = n
  }
  return isSettled
}

/**
 * Brings every S on the way to that of the present flows, and answers whether each was within `tolerance` of it, relatively.
 * `near` is how far from where friction was worked out, relatively, a turbulent flow may be for its power law to serve. What
 * stands still keeps its S.
 */
export function followFriction(
  network: TreeNetwork,
  state: TreeFriction,
  near: number,
  tolerance: number,
): boolean {
  const areNearSettled = !state.hasAnchors || followNear(state, near, tolerance)
  if (!state.hasAnchors) listFlowing(state)
  state.hasAnchors = true
  writeSmooth(network, state)
  writeInverseLogs(network, state)
  const areTurbulentSettled = followTurbulent(network, state, tolerance)
  const areOtherSettled = followOther(network, state, OTHER_TOLERANCE * tolerance)
  return areNearSettled && areTurbulentSettled && areOtherSettled
}

/**
 * S to begin with: that of the present flows; of an everyday speed where nothing flows. What an earlier solve worked out is
 * left aside, so that flows alone decide where one begins.
 */
export function startFriction(network: TreeNetwork, state: TreeFriction, isFlowing: boolean): void {
  const { anchorFlow, anchorResistance, resistance, far } = state
  anchorFlow.fill(-1)
  state.hasAnchors = false
  resistance.set(network.sweep.typicalResistance)
  if (!isFlowing) return
  followFriction(network, state, 0, 0)
  for (let index = 0; index < state.farCount; index++) {
    const k = far[index] ?? 0
    resistance[k] = anchorResistance[k] ?? 0
  }
}
