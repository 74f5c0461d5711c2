import type { LoopFlows } from './loop-flows.ts'
import { type LoopModel, pipeS, sumFlows } from './loop-model.ts'

/** The conductance of a resistance, or the resistance of a conductance; infinite for 0. */
const inverse = (value: number): number => (value > 0 ? 1 / value : Number.POSITIVE_INFINITY)

/**
 * Resistance between the station and each consumer, in series with its circuit and valve, Pa/(kg/s)². When a valve
 * closes, the head at its node rises; the larger the share of the path, the more it rises. The loop is linearised at
 * its flows (tangent 2·S·ṁ of every pipe and consumer, constant head at the station). The linear resistance R seen
 * from a node is converted to a quadratic one at the consumer's flow: S = R/(2·ṁ). Two sweeps. Zero for a consumer
 * without flow. Worked example: approach-resistance.test.ts.
 */
export function approachS(model: LoopModel, flows: LoopFlows): Float64Array {
  const { network } = model
  const { order, parent, pipeCount, circuitNode, circuitCount } = network
  const pipeFlow = sumFlows(network, flows.flowKgS, new Float64Array(pipeCount))
  const slope = pipeFlow.map((flow, pipe) => 2 * pipeS(network, pipe, flow) * flow)
  // Conductance of circuit and valve. Their drop is the head h of the node, S·ṁ², so the tangent 2·S·ṁ is 2·h/ṁ.
  const own = flows.flowKgS.map((flow, i) => {
    const head = flows.nodeHeadPa[circuitNode[i] ?? pipeCount] ?? 0
    return head > 0 ? flow / (2 * head) : 0
  })
  // Conductance from each node to its consumers and branches.
  const below = new Float64Array(pipeCount + 1)
  for (let i = 0; i < circuitCount; i++) {
    const node = circuitNode[i] ?? pipeCount
    below[node] = (below[node] ?? 0) + (own[i] ?? 0)
  }
  const branch = new Float64Array(pipeCount)
  for (let k = pipeCount - 1; k >= 0; k--) {
    const pipe = order[k] ?? 0
    const up = parent[pipe] ?? pipeCount
    branch[pipe] = inverse((slope[pipe] ?? 0) + inverse(below[pipe] ?? 0))
    below[up] = (below[up] ?? 0) + (branch[pipe] ?? 0)
  }
  // Conductance from each node to the station, without its own subtree; infinite at the station.
  const above = new Float64Array(pipeCount + 1).fill(Number.POSITIVE_INFINITY)
  for (const pipe of order) {
    const up = parent[pipe] ?? pipeCount
    const beside = (below[up] ?? 0) - (branch[pipe] ?? 0)
    above[pipe] = inverse((slope[pipe] ?? 0) + inverse((above[up] ?? 0) + beside))
  }
  return own.map((conductance, i) => {
    const node = circuitNode[i] ?? pipeCount
    const flow = flows.flowKgS[i] ?? 0
    const rest = (above[node] ?? 0) + (below[node] ?? 0) - conductance
    return flow > 0 ? inverse(rest) / (2 * flow) : 0
  })
}
