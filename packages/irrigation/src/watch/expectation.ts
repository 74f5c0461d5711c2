/** Expected flow of a set of valves, m³/h, with the limits of a normal flow. */
export interface FlowExpectation {
  readonly flowM3H: number
  readonly lowM3H: number
  readonly highM3H: number
  /** Number of waterings from which it was learned; 0: the stated flow of the valves. */
  readonly learnedFrom: number
}

/** Maximum number of past waterings that are used: older ones do not describe the present nozzles. */
export const MAX_SAMPLES = 20
/** With fewer waterings the stated flow counts. */
export const MIN_SAMPLES = 5
/** Limits around a stated flow, as shares of it: the true pressure is not known yet. */
const STATED = { low: 0.6, high: 1.5 }
/** Minimum half width around a learned flow, as a share of it: errors of meters of class 2, and the changing level of a well. */
const MIN_WIDTH = 0.15
/** Half width in robust standard deviations. Normal noise puts one watering in 16,000 outside of it. */
const WIDTH = 4
/**
 * Maximum half width, as a share: the limits of an unsteady group must not become so wide that they hide a closed
 * valve.
 */
const MAX_WIDTH = 0.4
/** Standard deviation of normal noise, divided by the median of its absolute deviations. */
const PER_DEVIATION = 1.4826
/** Below this share of the expected flow, nothing flows. */
const NO_FLOW = 0.1

const EPSILON = 1e-9

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/**
 * The expectation of a set of valves, from the flows of its last healthy waterings, newest first: their median, and four times
 * their spread (median of the absolute deviations), at least 15 % and at most 40 %. One wrong sample changes neither.
 */
export function learnFlow(statedM3H: number, flowsM3H: readonly number[]): FlowExpectation {
  const samples = flowsM3H.slice(0, MAX_SAMPLES)
  if (samples.length < MIN_SAMPLES)
    return {
      flowM3H: statedM3H,
      lowM3H: STATED.low * statedM3H,
      highM3H: STATED.high * statedM3H,
      learnedFrom: 0,
    }
  const flowM3H = median(samples)
  const spread = PER_DEVIATION * median(samples.map((flow) => Math.abs(flow - flowM3H)))
  const half = Math.min(MAX_WIDTH * flowM3H, Math.max(MIN_WIDTH * flowM3H, WIDTH * spread))
  return { flowM3H, lowM3H: flowM3H - half, highM3H: flowM3H + half, learnedFrom: samples.length }
}

export type FlowFinding = 'no-flow' | 'low-flow' | 'high-flow'

/** Compares a measured flow with the expectation; undefined if it is normal. */
export function judgeFlow(flowM3H: number, expected: FlowExpectation): FlowFinding | undefined {
  if (flowM3H < NO_FLOW * expected.flowM3H) return 'no-flow'
  if (flowM3H < expected.lowM3H - EPSILON) return 'low-flow'
  return flowM3H > expected.highM3H + EPSILON ? 'high-flow' : undefined
}

/**
 * Whether a line is broken between pump and valves. `lossM3H`: water that leaves the pump and reaches no valve; it must exceed
 * the smallest flow that the meter shows (`floorM3H`) and the minimum half width of the expectation.
 */
export const isLineBroken = (lossM3H: number, floorM3H: number, expected: FlowExpectation): boolean =>
  lossM3H > Math.max(floorM3H, MIN_WIDTH * expected.flowM3H) + EPSILON
