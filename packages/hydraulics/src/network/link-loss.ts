import { CREEPING_LIMIT, type Friction, writeFriction } from '../elements/friction.ts'
import type { Network } from './network.ts'

/**
 * Smallest slope dΔp/dṁ of a link in the equations, Pa/(kg/s), so that links without loss are solvable. It only affects the
 * steps of the iteration, not the solution.
 */
const MIN_SLOPE = 1e-3
/** Below this flow, kg/s, a quadratic law is replaced by a straight line, so that its slope stays above zero. */
export const CREEPING_FLOW = 1e-3
/** λ·Re in laminar flow. */
const LAMINAR = 64

/** ṁ·|ṁ| and its slope; a straight line near zero flow. */
const quadraticLoss = (flow: number): number => flow * Math.max(CREEPING_FLOW, Math.abs(flow))
const quadraticSlope = (flow: number): number =>
  Math.abs(flow) > CREEPING_FLOW ? 2 * Math.abs(flow) : CREEPING_FLOW

export interface Losses {
  readonly linkFlow: Float64Array
  /** 1 for links without flow, which are skipped. */
  readonly isStill: Uint8Array
  /** Pressure loss along each link, Pa; negative along a pump. It never decreases with rising flow. */
  readonly linkLoss: Float64Array
  /** Its slope dΔp/dṁ, Pa/(kg/s), above zero. */
  readonly linkSlope: Float64Array
  readonly friction: Friction
}

/** A pump of speed s adds h0·s² + h1·s·ṁ − h2·ṁ·|ṁ|, Pa; at flows where that is negative it is a resistance. */
function writePump(network: Network, losses: Losses, link: number, flow: number): void {
  const speed = network.speed[link] ?? 0
  const h1 = (network.h1[link] ?? 0) * speed
  const h2 = network.h2[link] ?? 0
  losses.linkLoss[link] = h2 * quadraticLoss(flow) - h1 * flow - (network.h0[link] ?? 0) * speed * speed
  losses.linkSlope[link] = Math.max(MIN_SLOPE, h2 * quadraticSlope(flow) - h1)
}

function writeResistor(losses: Losses, link: number, flow: number, quadratic: number): void {
  losses.linkLoss[link] = quadratic * quadraticLoss(flow)
  losses.linkSlope[link] = quadratic > 0 ? quadratic * quadraticSlope(flow) : MIN_SLOPE
}

/** A pipe's slope is at least its laminar slope. */
function writePipe(network: Network, losses: Losses, link: number, flow: number): void {
  const { friction } = losses
  const frictionScale = network.frictionScale[link] ?? 0
  const quadratic = network.resistance[link] ?? 0
  const reynoldsScale = network.reynoldsScale[link] ?? 0
  const absFlow = Math.abs(flow)
  const reynolds = reynoldsScale * absFlow
  const laminarSlope = (frictionScale * LAMINAR) / reynoldsScale
  writeFriction(friction, reynolds, network.relativeRoughness[link] ?? 0, network.friction)
  const frictionSlope = frictionScale * absFlow * friction.factor * (2 + friction.exponent)
  losses.linkSlope[link] = 2 * quadratic * absFlow + Math.max(frictionSlope, laminarSlope)
  if (reynolds >= CREEPING_LIMIT) {
    losses.linkLoss[link] = (frictionScale * friction.factor + quadratic) * flow * absFlow
    return
  }
  // Below the limit `friction.factor` is constant, so 64/Re is written out: its loss is linear at zero flow, as the solver needs.
  const aboveLaminar = frictionScale * (friction.factor - LAMINAR / CREEPING_LIMIT)
  losses.linkLoss[link] = flow * (laminarSlope + (aboveLaminar + quadratic) * absFlow)
}

/** Computes loss and slope of every link that is not skipped, at its flow. */
export function writeLosses(network: Network, losses: Losses): void {
  const { linkFlow, isStill } = losses
  for (let link = 0; link < network.linkCount; link++) {
    if (isStill[link] === 1) continue
    const flow = linkFlow[link] ?? 0
    if (network.isPump[link] === 1) writePump(network, losses, link, flow)
    else if (network.frictionScale[link] === 0)
      writeResistor(losses, link, flow, network.resistance[link] ?? 0)
    else writePipe(network, losses, link, flow)
  }
}
