import { type Inversion, type InvertRequest, invert } from '../invert/invert.ts'
import { type LoopFlows, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'

/** How moves are saved. */
export interface MoveLimits {
  /** What the motors can be set to: multiples of this, 0..1. */
  readonly step: number
  /** A valve that would miss its target by no more than this share of the flow stays where it is. */
  readonly dropShare: number
  /** Root mean square of what all flows may miss their targets by, as a share. */
  readonly allowedRms: number
  /** Openings at which each valve has been seen to work, and how far beyond them it may go in one campaign. */
  readonly visitedLow: Float64Array
  readonly visitedHigh: Float64Array
  readonly trustSpan: number
}

export interface ValveMove {
  readonly consumer: number
  readonly from: number
  readonly to: number
}

/** What few moves come to, as an inversion says it: starved, spared and overfed are of all valves that could move. */
export interface MovePlan extends Inversion {
  readonly moves: readonly ValveMove[]
  /** Valves held back by the trust region: one more campaign will take them further. */
  readonly heldBack: readonly number[]
}

const MOST_ROUNDS = 4
/** Below this share nothing more is gained by moving everybody. */
const LEAST_DROP_SHARE = 0.005
/** Weight of a branch's summed error beside the valve's own when an opening is rounded. */
const CARRY_WEIGHT = 0.25

/** Flow through one consumer at an opening, with the head that its node has. */
function flowAt(model: LoopModel, nodeHeadPa: Float64Array, consumer: number, opening: number): number {
  const head = nodeHeadPa[model.network.circuitNode[consumer] ?? model.network.pipeCount] ?? 0
  return Math.sqrt(head / consumerS(model, consumer, opening))
}

/**
 * Rounds openings to what motors can do. Either neighbour will do; taken is the one that keeps the valve's own flow and
 * the sum along its street near their targets (error feedback), so that rounding does not add up in the mains.
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
    const choices = [below, below + 1].map((steps) => {
      const to = Math.min(1, Math.max(request.leastOpening, steps * step))
      const error = flowAt(model, flows.nodeHeadPa, i, to) / wanted - 1
      return { to, error, cost: error ** 2 + CARRY_WEIGHT * (carry + error) ** 2 }
    })
    const [low, high] = choices
    if (low === undefined || high === undefined) return opening
    const chosen = low.cost <= high.cost ? low : high
    carry += chosen.error
    return Math.round(chosen.to / step) * step
  })
}

/** Keeps each valve within its trust region; answers who was held back. */
function keepTrust(openings: Float64Array, request: InvertRequest, limits: MoveLimits): number[] {
  const heldBack: number[] = []
  openings.forEach((opening, i) => {
    if (request.isFixed[i] === 1) return
    const low = (limits.visitedLow[i] ?? 0) - limits.trustSpan
    const high = (limits.visitedHigh[i] ?? 1) + limits.trustSpan
    const kept = Math.min(high, Math.max(low, opening))
    if (Math.abs(kept - opening) > 1e-9) heldBack.push(i)
    openings[i] = kept
  })
  return heldBack
}

/** Who may stay: its flow at the present opening, in the network as it will be, is near enough to what it can have. */
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
    return target > 0 && Math.abs(Math.log(stays / target)) <= dropShare ? 1 : 0
  })
}

/** Root mean square of how far flows are from what they could be, ln ṁ/ṁ*, over those that may move. */
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

/** The request for the rest of the valves when some stay: the head is found, and so is whether it is enough. */
function keepHead(request: InvertRequest, { headPa, scale }: Inversion): InvertRequest {
  const { pump } = request
  return {
    ...request,
    targetKgS: request.targetKgS.map((flow) => scale * flow),
    pump: pump.kind === 'free' ? { kind: 'fixed-head', headPa } : pump,
    shortage: 'at-the-end',
  }
}

/**
 * The plan for a threshold: valves drop out until nobody else may, and the rest is solved around them each time. The head
 * stays what all together need: who stays put needs his share of it as much as who moves.
 */
function planAt(
  model: LoopModel,
  request: InvertRequest,
  limits: MoveLimits,
  whole: Inversion,
  dropShare: number,
): MovePlan {
  const kept = keepHead(request, whole)
  let isFixed = request.isFixed
  let inversion = whole
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const staying = findStaying(model, { ...kept, isFixed }, inversion, dropShare)
    const isSame = staying.every((value, i) => value === isFixed[i])
    isFixed = staying
    if (isSame || !isFixed.includes(0)) break
    inversion = invert(model, { ...kept, isFixed })
  }
  const own = { ...request, isFixed }
  const trusted = { ...inversion, openings: inversion.openings.slice() }
  const heldBack = keepTrust(trusted.openings, own, limits)
  const openings = roundOpenings(model, trusted, own, limits.step)
  const flows = solveLoop(model, openings, sourceAt(request.pump, inversion.headPa))
  const moves = Array.from(openings, (to, consumer) => ({
    consumer,
    from: request.openings[consumer] ?? 0,
    to,
  }))
  return {
    moves: moves.filter(
      ({ consumer, from, to }) => isFixed[consumer] === 0 && Math.abs(to - from) > limits.step / 2,
    ),
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
 * Openings that bring flows near their targets with as few moves as that takes: whoever would miss its target by less
 * than `dropShare` stays, and the rest are solved around it in closed form. The threshold is halved while all together
 * would miss by more than is allowed. Worked example: fewest-moves.test.ts.
 */
export function planMoves(model: LoopModel, request: InvertRequest, limits: MoveLimits): MovePlan {
  const whole = invert(model, request)
  for (let dropShare = limits.dropShare; ; dropShare /= 2) {
    const plan = planAt(model, request, limits, whole, dropShare)
    if (dropShare <= LEAST_DROP_SHARE || missOf(plan.flows, request, whole) <= limits.allowedRms) return plan
  }
}
