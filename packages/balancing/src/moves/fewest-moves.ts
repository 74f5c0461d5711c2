import { type Inversion, type InvertRequest, invert } from '../invert/invert.ts'
import { type LoopFlows, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'

/** Limits that save moves. */
export interface MoveLimits {
  /** Step of the motors, 0..1. */
  readonly step: number
  /** A valve does not move if its flow would miss its target by at most this share. */
  readonly dropShare: number
  /** Allowed root mean square error of all flows, as a share of their targets. */
  readonly allowedRms: number
  /**
   * Range of openings at which each valve has worked, and how far beyond it the valve may go in one campaign.
   */
  readonly visitedLow: Float64Array
  readonly visitedHigh: Float64Array
  readonly trustSpan: number
}

export interface ValveMove {
  readonly consumer: number
  readonly from: number
  readonly to: number
}

/**
 * Result of a plan with few moves, as an inversion: starved, spared and overfed are over all movable valves.
 */
export interface MovePlan extends Inversion {
  readonly moves: readonly ValveMove[]
  /** Valves stopped by the trust region: another campaign can move them further. */
  readonly heldBack: readonly number[]
}

const MAX_ROUNDS = 4
/** Below this threshold, moving more valves gains nothing. */
const MIN_DROP_SHARE = 0.005
/** Weight of the street's accumulated rounding error relative to the valve's own. */
const CARRY_WEIGHT = 0.25

/** Flow through one consumer at an opening with the present head at its node. */
function flowAt(model: LoopModel, nodeHeadPa: Float64Array, consumer: number, opening: number): number {
  const head = nodeHeadPa[model.network.circuitNode[consumer] ?? model.network.pipeCount] ?? 0
  return Math.sqrt(head / consumerS(model, consumer, opening))
}

/**
 * Rounds openings to steps of the motors. Of the two neighbours, it takes the one that keeps the valve's own flow and
 * the sum along its street near the targets (error feedback), so rounding errors do not add up in the mains.
 */
function roundOpenings(
  model: LoopModel,
  { openings, flows }: Inversion,
  request: InvertRequest,
  step: number,
) {
  let carry = 0
  return openings.map((opening, i) => {
    if (request.isFixed[i] === 1) return opening
    const wanted = flowAt(model, flows.nodeHeadPa, i, opening)
    const below = Math.floor(opening / step + 1e-9)
    const choose = (steps: number) => {
      const to = Math.min(1, Math.max(request.minOpening, steps * step))
      const error = flowAt(model, flows.nodeHeadPa, i, to) / wanted - 1
      return { to, error, cost: error ** 2 + CARRY_WEIGHT * (carry + error) ** 2 }
    }
    const [low, high] = [choose(below), choose(below + 1)]
    const chosen = low.cost <= high.cost ? low : high
    carry += chosen.error
    return Math.round(chosen.to / step) * step
  })
}

/** Limits each valve to its trust region; returns the valves that were stopped by it. */
function limitToTrust(openings: Float64Array, request: InvertRequest, limits: MoveLimits): number[] {
  const heldBack: number[] = []
  openings.forEach((opening, i) => {
    if (request.isFixed[i] === 1) return
    const low = (limits.visitedLow[i] ?? 0) - limits.trustSpan
    const high = (limits.visitedHigh[i] ?? 1) + limits.trustSpan
    const limited = Math.min(high, Math.max(low, opening))
    if (Math.abs(limited - opening) > 1e-9) heldBack.push(i)
    openings[i] = limited
  })
  return heldBack
}

/**
 * Finds valves that need not move: their flow at the present opening, in the network after the plan, is near enough
 * to the reachable one.
 */
function findStaying(
  model: LoopModel,
  request: InvertRequest,
  inversion: Inversion,
  dropShare: number,
): Uint8Array {
  const { flows } = inversion
  const most = new Set([...inversion.starved, ...inversion.spared])
  return request.isFixed.map((fixed, i) => {
    if (fixed === 1) return 1
    const target = Math.min(
      request.targetKgS[i] ?? 0,
      most.has(i) ? (flows.flowKgS[i] ?? 0) : Number.POSITIVE_INFINITY,
    )
    const stays = flowAt(model, flows.nodeHeadPa, i, request.openings[i] ?? 0)
    return Math.abs(Math.log(stays / target)) <= dropShare ? 1 : 0
  })
}

/** Root mean square error ln ṁ/ṁ* of the movable consumers that can reach their targets. */
function missOf(flows: LoopFlows, request: InvertRequest, whole: Inversion): number {
  const out = new Set([...whole.starved, ...whole.spared, ...whole.overfed])
  let sum = 0
  let count = 0
  request.targetKgS.forEach((target, i) => {
    if (request.isFixed[i] === 1 || out.has(i) || !(target > 0)) return
    sum += Math.log((flows.flowKgS[i] ?? 0) / (whole.scale * target)) ** 2
    count++
  })
  return Math.sqrt(sum / Math.max(1, count))
}

/**
 * The request for the remaining valves when some are not moved: the head is fixed, and so is the scale of the
 * targets.
 */
function fixHead(request: InvertRequest, { headPa, scale }: Inversion): InvertRequest {
  const { pump } = request
  return {
    ...request,
    targetKgS: request.targetKgS.map((flow) => scale * flow),
    pump: pump.kind === 'free' ? { kind: 'fixed-head', headPa } : pump,
    shortage: 'at-the-end',
  }
}

/**
 * The plan for one threshold. Valves within the threshold are left out, and the rest is solved around them, until no
 * more valves are left out. The head stays at what all valves together need, because valves that are not moved need
 * their share of it too.
 */
function planAt(
  model: LoopModel,
  request: InvertRequest,
  limits: MoveLimits,
  whole: Inversion,
  dropShare: number,
): MovePlan {
  const atHead = fixHead(request, whole)
  let isFixed = request.isFixed
  let inversion = whole
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = isFixed
    isFixed = findStaying(model, { ...atHead, isFixed }, inversion, dropShare)
    const isSame = isFixed.every((value, i) => value === before[i])
    if (isSame || !isFixed.includes(0)) break
    inversion = invert(model, { ...atHead, isFixed })
  }
  const own = { ...request, isFixed }
  // If no valve moves, the last inversion still has the openings of its moves.
  const staying = (opening: number, i: number): number =>
    isFixed[i] === 1 ? (request.openings[i] ?? opening) : opening
  const trusted = { ...inversion, openings: inversion.openings.map(staying) }
  const heldBack = limitToTrust(trusted.openings, own, limits)
  // A valve that would move by less than a step of its motor gets no command.
  const openings = roundOpenings(model, trusted, own, limits.step).map((to, i) => {
    const from = request.openings[i] ?? to
    return Math.abs(to - from) > limits.step / 2 ? to : from
  })
  const flows = solveLoop(model, openings, sourceAt(request.pump, inversion.headPa))
  const moves = Array.from(openings, (to, consumer) => ({
    consumer,
    from: request.openings[consumer] ?? 0,
    to,
  }))
  return {
    moves: moves.filter(({ from, to }) => Math.abs(to - from) > 0),
    openings,
    headPa: inversion.headPa,
    flows,
    starved: whole.starved,
    spared: whole.spared,
    overfed: whole.overfed,
    scale: whole.scale,
    heldBack,
  }
}

/**
 * Openings that bring flows near their targets with few moves. A valve that would miss its target by less than
 * `dropShare` is not moved, and the rest is solved around it in closed form. The threshold is halved while the total
 * error is above its limit. Worked example: fewest-moves.test.ts.
 */
export function planMoves(model: LoopModel, request: InvertRequest, limits: MoveLimits): MovePlan {
  const whole = invert(model, request)
  for (let dropShare = limits.dropShare; ; dropShare /= 2) {
    const plan = planAt(model, request, limits, whole, dropShare)
    if (dropShare <= MIN_DROP_SHARE || missOf(plan.flows, request, whole) <= limits.allowedRms) return plan
  }
}
