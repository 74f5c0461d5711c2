import { markFed, type Reach } from './fed-nodes.ts'
import { type Losses, writeLosses } from './link-loss.ts'
import type { Network } from './network.ts'
import { factorise, solveFactorised } from './sparse-ldl.ts'

/**
 * Result and working memory of the solver, allocated once. Flows kg/s, positive from a link's `from` to its `to`;
 * pressures Pa above atmosphere, 0 for a node without supply (`isFed` 0).
 */
export interface NetworkState extends Reach, Losses {
  readonly nodePressure: Float64Array
  /** 1 if the check valve of a pump is shut, and if it was opened again for a demand that nothing else feeds. */
  readonly isCheckShut: Uint8Array
  readonly isReopened: Uint8Array
  /** Pressure plus water column at each node, above `datum`, Pa. */
  readonly level: Float64Array
  datum: number
  readonly step: Float64Array
  readonly vector: Float64Array
  /** Newton steps that the last solve took. */
  iterations: number
}

/**
 * `solved`: all flows and pressures are valid. `cut-off`: they are valid for nodes with `isFed`, but a node with a demand is
 * not fed. `dry`: no open link starts at a given pressure and there is no demand; all flows are zero. `not-converged`: losses
 * have not converged within the tolerance, or numbers overflowed; no result is valid.
 */
export type NetworkSolveOutcome = 'solved' | 'cut-off' | 'dry' | 'not-converged'

export interface NetworkSolveOptions {
  /** Sum of all changes of flow in one step over the sum of all flows. */
  readonly tolerance: number
  readonly maxIterations: number
}

export const DEFAULT_NETWORK_SOLVE: NetworkSolveOptions = { tolerance: 1e-9, maxIterations: 100 }

/** Maximum number of rounds of opening and shutting check valves before the solve fails. */
const MAX_ROUNDS = 20
/** Steps smaller than this share of the flows are never shortened: rounding would hide their direction. */
const SMALL_STEP = 1e-6
/** A full step is accepted if the residual drive in the opposite direction is at most this share of the drive before. */
const OVERSHOOT = 0.5
const MAX_SHORTENINGS = 40
/** A backflow below this does not count, kg/s. */
const STILL = 1e-7
/** Lower bound of the sum of flows, kg/s, so that a network without flow converges too. */
const MIN_FLOWING = 1e-3
/** Relative rounding error of a level. */
const ROUNDING = 8 * Number.EPSILON

export function createNetworkState(network: Network): NetworkState {
  const { nodeCount, linkCount } = network
  return {
    linkFlow: new Float64Array(linkCount),
    nodePressure: new Float64Array(nodeCount),
    isFed: new Uint8Array(nodeCount),
    isStill: new Uint8Array(linkCount),
    queue: new Int32Array(nodeCount),
    isCheckShut: new Uint8Array(linkCount),
    isReopened: new Uint8Array(linkCount),
    level: new Float64Array(nodeCount),
    datum: 0,
    linkLoss: new Float64Array(linkCount),
    linkSlope: new Float64Array(linkCount),
    friction: { factor: 0, exponent: 0 },
    step: new Float64Array(linkCount),
    vector: new Float64Array(network.equations.size),
    iterations: 0,
  }
}

/** Throws for a number that was overwritten with NaN, which would otherwise count as a shut link or spread to every flow. */
function checkNumbers({ demand, givenPressure, resistance, speed }: Network): void {
  const check = (what: string, values: Float64Array): void => {
    const index = values.findIndex(Number.isNaN)
    if (index >= 0) throw new RangeError(`${what} ${index} is not a number`)
  }
  check('the demand of node', demand)
  check('the pressure of node', givenPressure)
  check('the resistance of link', resistance)
  check('the speed of link', speed)
}

/** Levels of the given nodes, and a first guess for links without flow. */
function prepare(network: Network, state: NetworkState): void {
  const { isGiven, givenPressure, column, typicalFlow } = network
  const { level, linkFlow, isStill } = state
  const first = isGiven.indexOf(1)
  // Relative to a given level, so that differences of a few pascals are not lost by rounding at many bar.
  const datum = (givenPressure[first] ?? 0) + (column[first] ?? 0)
  for (let node = 0; node < network.nodeCount; node++) {
    if (isGiven[node] === 1) level[node] = (givenPressure[node] ?? 0) + (column[node] ?? 0) - datum
  }
  state.datum = datum
  for (let link = 0; link < network.linkCount; link++) {
    if (isStill[link] === 1) linkFlow[link] = 0
    else if (!(Math.abs(linkFlow[link] ?? 0) > 0)) linkFlow[link] = typicalFlow[link] ?? 0
  }
}

/** Driving pressure along a link besides its pump, Pa. */
const levelLoss = (network: Network, state: NetworkState, link: number): number =>
  (state.level[network.from[link] ?? 0] ?? 0) -
  (state.level[network.to[link] ?? 0] ?? 0) +
  (network.buoyancy[link] ?? 0)

/**
 * Linear system for the changes of level: with each link's loss replaced by its tangent, mass balances at every node. `step`
 * is the flow of a link for unchanged levels, minus its present flow.
 */
function assemble(network: Network, state: NetworkState): void {
  const { unknown, slot, from, to, demand, equations } = network
  const { vector, linkFlow, linkLoss, linkSlope, step, isStill, isFed } = state
  const { diagonal, offDiagonal } = equations
  offDiagonal.fill(0)
  for (let node = 0; node < network.nodeCount; node++) {
    const own = unknown[node] ?? -1
    if (own < 0) continue
    diagonal[own] = isFed[node] === 1 ? 0 : 1
    vector[own] = isFed[node] === 1 ? -(demand[node] ?? 0) : 0
  }
  for (let link = 0; link < network.linkCount; link++) {
    if (isStill[link] === 1) continue
    const flow = linkFlow[link] ?? 0
    const c = 1 / (linkSlope[link] ?? 1)
    const change = c * (levelLoss(network, state, link) - (linkLoss[link] ?? 0))
    step[link] = change
    const a = unknown[from[link] ?? 0] ?? -1
    const b = unknown[to[link] ?? 0] ?? -1
    if (a >= 0) {
      vector[a] = (vector[a] ?? 0) - flow - change
      diagonal[a] = (diagonal[a] ?? 0) + c
    }
    if (b >= 0) {
      vector[b] = (vector[b] ?? 0) + flow + change
      diagonal[b] = (diagonal[b] ?? 0) + c
    }
    const pair = slot[link] ?? -1
    if (pair >= 0) offDiagonal[pair] = (offDiagonal[pair] ?? 0) - c
  }
}

/** Computes new levels and, in `step`, the full change of each flow. Returns Σ slope·step², the drive of the step. */
function applyLevels(network: Network, state: NetworkState): number {
  const { unknown, from, to } = network
  const { level, vector, linkSlope, step, isStill } = state
  const rise = (node: number): number => {
    const own = unknown[node] ?? -1
    return own < 0 ? 0 : (vector[own] ?? 0)
  }
  for (let node = 0; node < network.nodeCount; node++) level[node] = (level[node] ?? 0) + rise(node)
  let drive = 0
  for (let link = 0; link < network.linkCount; link++) {
    if (isStill[link] === 1) continue
    const slope = linkSlope[link] ?? 1
    const whole = (step[link] ?? 0) + (rise(from[link] ?? 0) - rise(to[link] ?? 0)) / slope
    step[link] = whole
    drive += whole * whole * slope
  }
  return drive
}

/** Changes the flows by a share of the step; the share can be negative. */
function move(network: Network, state: NetworkState, share: number): void {
  const { linkFlow, step, isStill } = state
  for (let link = 0; link < network.linkCount; link++)
    if (isStill[link] === 0) linkFlow[link] = (linkFlow[link] ?? 0) + share * (step[link] ?? 0)
  writeLosses(network, state)
}

/** Residual drive along the step at the present flows, Pa·kg/s: negative forwards, positive backwards. */
function measurePush(network: Network, state: NetworkState): number {
  const { linkLoss, step, isStill } = state
  let push = 0
  for (let link = 0; link < network.linkCount; link++)
    if (isStill[link] === 0)
      push += ((linkLoss[link] ?? 0) - levelLoss(network, state, link)) * (step[link] ?? 0)
  return push
}

/**
 * Line search along the step. Losses never decrease with flow, so balanced flows minimise a convex function. A step beyond the
 * minimum along its direction is shortened, so the iteration converges from any start.
 */
function takeStep(network: Network, state: NetworkState, drive: number): void {
  move(network, state, 1)
  let push = measurePush(network, state)
  let low = 0
  let pushLow = -drive
  let high = 1
  let pushHigh = push
  let share = 1
  for (let tries = 0; tries < MAX_SHORTENINGS; tries++) {
    if (Math.abs(push) <= OVERSHOOT * drive || (share === 1 && push < 0)) return
    if (push < 0) {
      low = share
      pushLow = push
    } else {
      high = share
      pushHigh = push
    }
    const weight = Math.min(0.9, Math.max(0.1, -pushLow / (pushHigh - pushLow)))
    const next = low + (high - low) * weight
    move(network, state, next - share)
    share = next
    push = measurePush(network, state)
  }
}

/** Sum of all changes of flow over the sum of all flows, without changes that rounding of levels alone can cause. */
function measureStep(network: Network, state: NetworkState, exempt: number): number {
  const { linkFlow, step, isStill, linkSlope, level } = state
  let changed = 0
  let flowing = MIN_FLOWING
  for (let link = 0; link < linkFlow.length; link++) {
    if (isStill[link] === 1) continue
    const levels = Math.abs(level[network.from[link] ?? 0] ?? 0) + Math.abs(level[network.to[link] ?? 0] ?? 0)
    changed += Math.max(0, Math.abs(step[link] ?? 0) - (levels * exempt) / (linkSlope[link] ?? 1))
    flowing += Math.abs(linkFlow[link] ?? 0)
  }
  return changed / flowing
}

/** Resets values that are not finite, so that they are not returned or used by the next solve. */
function giveUp(state: NetworkState): false {
  state.level.fill(0)
  state.linkFlow.fill(0)
  return false
}

/** Newton iteration with the present check valves; false if it does not converge. */
function iterate(network: Network, state: NetworkState, options: NetworkSolveOptions): boolean {
  prepare(network, state)
  writeLosses(network, state)
  let hadOnlyRounding = false
  for (let first = true; state.iterations < options.maxIterations; first = false) {
    state.iterations++
    assemble(network, state)
    if (!factorise(network.equations)) return false
    solveFactorised(network.equations, state.vector)
    const drive = applyLevels(network, state)
    if (!Number.isFinite(drive)) return giveUp(state)
    // The first step balances the flows and must not be shortened.
    const change = measureStep(network, state, 0)
    if (first || change <= SMALL_STEP) move(network, state, 1)
    else takeStep(network, state, drive)
    if (change <= options.tolerance) return true
    // With very small heads, rounding errors prevent convergence: then one more step, which balances mass again, is enough.
    if (hadOnlyRounding) return true
    hadOnlyRounding = measureStep(network, state, ROUNDING) <= options.tolerance
  }
  return false
}

/** Shuts check valves with backflow and opens those with a forward pressure difference. */
function moveCheckValves(network: Network, state: NetworkState): boolean {
  const { isPump, h0, speed, from, to } = network
  const { isCheckShut, isFed, linkFlow } = state
  let moved = false
  for (let link = 0; link < network.linkCount; link++) {
    if (isPump[link] === 0) continue
    if (isCheckShut[link] === 1) {
      const head = (h0[link] ?? 0) * (speed[link] ?? 0) ** 2
      const areFed = isFed[from[link] ?? 0] === 1 && isFed[to[link] ?? 0] === 1
      if (!areFed || levelLoss(network, state, link) + head <= 1e-9 * head) continue
      isCheckShut[link] = 0
      moved = true
    } else if ((linkFlow[link] ?? 0) < -STILL) {
      isCheckShut[link] = 1
      moved = true
    }
  }
  return moved
}

/**
 * Opens check valves towards nodes that are not fed, once each: several pumps in series can all have had backflow, although
 * the demand between them draws water through the first alone. False if none can help.
 */
function reopenCheckValves(network: Network, state: NetworkState): boolean {
  const { from, to, demand } = network
  const { isCheckShut, isReopened, isFed } = state
  const isMissing = (sign: number): boolean => demand.some((kgS, node) => isFed[node] === 0 && sign * kgS > 0)
  const [lacksWater, hasExcess] = [isMissing(1), isMissing(-1)]
  let moved = false
  for (let link = 0; link < network.linkCount; link++) {
    if (isCheckShut[link] === 0 || isReopened[link] === 1) continue
    const [isFromFed, isToFed] = [isFed[from[link] ?? 0] === 1, isFed[to[link] ?? 0] === 1]
    if (!((lacksWater && isFromFed && !isToFed) || (hasExcess && isToFed && !isFromFed))) continue
    isCheckShut[link] = 0
    isReopened[link] = 1
    moved = true
  }
  return moved
}

function writePressures(network: Network, state: NetworkState): boolean {
  let isCutOff = false
  for (let node = 0; node < network.nodeCount; node++) {
    const isFed = state.isFed[node] === 1
    state.nodePressure[node] = isFed
      ? (state.level[node] ?? 0) + state.datum - (network.column[node] ?? 0)
      : 0
    if (!isFed && network.demand[node] !== 0) isCutOff = true
  }
  return isCutOff
}

/**
 * Steady flows and pressures of any network, meshed or not: Newton on flows and levels together (Todini and Pilati's
 * global gradient algorithm) with a sparse factorisation, no allocation. Flows of an earlier solve in `state` are the
 * first guess; nothing else is stored. Throws a RangeError for a number that was overwritten with NaN. Source: Todini, Pilati 1988; docs/domain/formulas.md. Worked examples: solve-network.test.ts.
 */
export function solveNetwork(
  network: Network,
  state: NetworkState,
  options: NetworkSolveOptions = DEFAULT_NETWORK_SOLVE,
): NetworkSolveOutcome {
  checkNumbers(network)
  state.iterations = 0
  state.isCheckShut.fill(0)
  state.isReopened.fill(0)
  state.level.fill(0)
  state.datum = 0
  for (let round = 0; round < MAX_ROUNDS; round++) {
    markFed(network, state, state.isCheckShut)
    if (!iterate(network, state, options)) break
    if (moveCheckValves(network, state)) continue
    if (writePressures(network, state)) {
      if (reopenCheckValves(network, state)) continue
      return 'cut-off'
    }
    return state.isStill.includes(0) ? 'solved' : 'dry'
  }
  writePressures(network, state)
  return 'not-converged'
}
