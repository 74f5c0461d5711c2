import { type LoopModel, pathLosses, pipeS, sumFlows } from '../loop/loop-model.ts'

const MAX_STEPS = 30
const TOLERANCE = 1e-9
/** Lower bound of a flow in slopes, kg/s, so that a circuit without flow has a slope. */
const MIN_KG_S = 1e-6

/**
 * Flows and path losses of a loop in which some consumers take given flows and the others are driven by the head.
 */
export interface MixedFlows {
  /** Flow by consumer, kg/s: given or driven. */
  readonly flowKgS: Float64Array
  /** Path loss by node from the source, Pa; the source is last. */
  readonly path: Float64Array
}

/**
 * One Newton step for the driven flows. Every loss is replaced by its tangent, 2·S·ṁ. The result is a tree of linear
 * resistances, solved by one sweep up (conductance and current of each branch) and one down.
 */
function stepNewton(
  { network }: LoopModel,
  isDriven: Uint8Array,
  ownS: Float64Array,
  { flowKgS, path }: MixedFlows,
  pipeFlow: Float64Array,
  headPa: number,
): number {
  const { order, parent, pipeCount, circuitNode } = network
  const conductance = new Float64Array(pipeCount + 1)
  const current = new Float64Array(pipeCount + 1)
  const rise = new Float64Array(pipeCount + 1)
  const slopes = new Float64Array(pipeCount)
  const miss = new Float64Array(flowKgS.length)
  for (let i = 0; i < flowKgS.length; i++) {
    if (isDriven[i] !== 1) continue
    const node = circuitNode[i] ?? pipeCount
    const flow = Math.max(MIN_KG_S, flowKgS[i] ?? 0)
    const own = 1 / (2 * (ownS[i] ?? 0) * flow)
    miss[i] = headPa - (path[node] ?? 0) - (ownS[i] ?? 0) * flow * flow
    conductance[node] = (conductance[node] ?? 0) + own
    current[node] = (current[node] ?? 0) + own * (miss[i] ?? 0)
  }
  for (let k = pipeCount - 1; k >= 0; k--) {
    const pipe = order[k] ?? 0
    const up = parent[pipe] ?? pipeCount
    const flow = pipeFlow[pipe] ?? 0
    slopes[pipe] = 2 * pipeS(network, pipe, flow) * flow
    const share = 1 / (1 + (conductance[pipe] ?? 0) * (slopes[pipe] ?? 0))
    conductance[up] = (conductance[up] ?? 0) + share * (conductance[pipe] ?? 0)
    current[up] = (current[up] ?? 0) + share * (current[pipe] ?? 0)
  }
  for (let k = 0; k < pipeCount; k++) {
    const pipe = order[k] ?? 0
    const above = rise[parent[pipe] ?? pipeCount] ?? 0
    const g = conductance[pipe] ?? 0
    const slope = slopes[pipe] ?? 0
    rise[pipe] = above + (slope * ((current[pipe] ?? 0) - g * above)) / (1 + g * slope)
  }
  let max = 0
  for (let i = 0; i < flowKgS.length; i++) {
    if (isDriven[i] !== 1) continue
    const flow = Math.max(MIN_KG_S, flowKgS[i] ?? 0)
    const change = ((miss[i] ?? 0) - (rise[circuitNode[i] ?? pipeCount] ?? 0)) / (2 * (ownS[i] ?? 0) * flow)
    // A step reduces a flow by 50 % at most, so flows stay above zero.
    flowKgS[i] = Math.max(flow / 2, flow + change)
    max = Math.max(max, Math.abs((flowKgS[i] ?? 0) - flow) / flow)
  }
  return max
}

/**
 * Flows of a loop in which valves keep the flows of `givenKgS`, and the rest (`isDriven` 1; `ownS` of circuit and
 * valve, Pa/(kg/s)²) follow from the head. Given flows of driven consumers are the start of the search. Newton's
 * method, exact for trees, O(N) for each step. Worked example: fixed-flows.test.ts.
 */
export function solveMixed(
  model: LoopModel,
  givenKgS: Float64Array,
  isDriven: Uint8Array,
  ownS: Float64Array,
  headPa: number,
): MixedFlows {
  const { network } = model
  const pipeFlow = new Float64Array(network.pipeCount)
  const mixed = { flowKgS: givenKgS.slice(), path: new Float64Array(network.pipeCount + 1) }
  const hasDriven = isDriven.includes(1)
  for (let step = 0; ; step++) {
    sumFlows(network, mixed.flowKgS, pipeFlow)
    pathLosses(network, pipeFlow, mixed.path)
    if (!hasDriven || step >= MAX_STEPS) return mixed
    if (stepNewton(model, isDriven, ownS, mixed, pipeFlow, headPa) < TOLERANCE) return mixed
  }
}
