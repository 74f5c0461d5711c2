import { CREEPING_LIMIT, frictionFactor, frictionSlope } from './friction.ts'
import type { Network } from './network.ts'

/**
 * Smallest slope dΔp/dṁ that a link is given in the equations, Pa/(kg/s): keeps links without loss solvable. It shapes the
 * steps of the solution only, never the solution.
 */
const LEAST_SLOPE = 1e-3
/** kg/s: below this a quadratic law is taken as a straight line, which a solver can follow to rest. */
const CREEPING_FLOW = 1e-4
/** λ·Re in laminar flow. */
const LAMINAR = 64

/** ṁ·|ṁ| and its slope, a straight line near rest. */
const quadraticLoss = (flow: number): number => flow * Math.max(CREEPING_FLOW, Math.abs(flow))
const quadraticSlope = (flow: number): number =>
  Math.abs(flow) > CREEPING_FLOW ? 2 * Math.abs(flow) : CREEPING_FLOW

/** Head that the pump adds, Pa: h0·s² + h1·s·ṁ − h2·ṁ·|ṁ|; driven past its run-out it is a resistance. */
function pumpHeadAt(network: Network, link: number, flow: number): number {
  const speed = network.speed[link] ?? 0
  const h0 = network.h0[link] ?? 0
  const h1 = network.h1[link] ?? 0
  const h2 = network.h2[link] ?? 0
  return h0 * speed * speed + h1 * speed * flow - h2 * quadraticLoss(flow)
}

/** Pressure that a flow of `flow` kg/s loses along a link, Pa; negative along a pump. It never falls as the flow rises. */
export function linkLoss(network: Network, link: number, flow: number): number {
  if (network.isPump[link] === 1) return -pumpHeadAt(network, link, flow)
  const friction = network.frictionScale[link] ?? 0
  const quadratic = network.resistance[link] ?? 0
  if (friction === 0) return quadratic * quadraticLoss(flow)
  const scale = network.reynoldsScale[link] ?? 0
  const reynolds = scale * Math.abs(flow)
  const factor = frictionFactor(reynolds, network.relativeRoughness[link] ?? 0, network.friction)
  if (reynolds >= CREEPING_LIMIT) return (friction * factor + quadratic) * flow * Math.abs(flow)
  // The factor is held here; the laminar law itself goes straight through rest, as a solver needs it to.
  const rough = friction * (factor - LAMINAR / CREEPING_LIMIT)
  return flow * ((friction * LAMINAR) / scale + (rough + quadratic) * Math.abs(flow))
}

const pumpSlope = (network: Network, link: number, flow: number): number =>
  (network.h2[link] ?? 0) * quadraticSlope(flow) - (network.h1[link] ?? 0) * (network.speed[link] ?? 0)

/** dΔp/dṁ of a link, Pa/(kg/s), above zero; a pipe's is never below its laminar one. */
export function linkSlope(network: Network, link: number, flow: number): number {
  if (network.isPump[link] === 1) return Math.max(LEAST_SLOPE, pumpSlope(network, link, flow))
  const size = Math.abs(flow)
  const friction = network.frictionScale[link] ?? 0
  const quadratic = network.resistance[link] ?? 0
  if (friction === 0) return quadratic > 0 ? quadratic * quadraticSlope(flow) : LEAST_SLOPE
  const scale = network.reynoldsScale[link] ?? 0
  const roughness = network.relativeRoughness[link] ?? 0
  const reynolds = scale * size
  const factor = frictionFactor(reynolds, roughness, network.friction)
  const ofFactor = frictionSlope(reynolds, roughness, network.friction) * scale
  const ofFriction = friction * size * (2 * factor + ofFactor * size)
  return 2 * quadratic * size + Math.max(ofFriction, (friction * LAMINAR) / scale)
}
