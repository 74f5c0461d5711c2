import { type PumpCurve, pumpHead } from '@isotherm/hydraulics/elements/pump'
import { createTreeState, type Source, solveTree } from '@isotherm/hydraulics/tree/solve-tree'
import { kilogramPerSecond, pascal } from '@isotherm/kernel/quantities'
import { type LoopModel, valveS } from './loop-model.ts'

/** Flows of consumers, kg/s, and head at their nodes and at the source, Pa. */
export interface LoopFlows {
  readonly flowKgS: Float64Array
  readonly nodeHeadPa: Float64Array
  readonly headPa: number
  readonly totalKgS: number
}

/**
 * Flows of a loop with its valves at these openings, 0..1 by consumer. All zero if every valve is shut or there is no head.
 * Throws if the solver does not converge.
 */
export function solveLoop(model: LoopModel, openings: ArrayLike<number>, source: Source): LoopFlows {
  const { network } = model
  const resistance = Float64Array.from({ length: network.circuitCount }, (_, i) =>
    valveS(model, i, openings[i] ?? 0),
  )
  const withOpenings = { ...network, valveResistance: resistance }
  const state = createTreeState(withOpenings)
  const outcome = solveTree(withOpenings, state, source)
  if (outcome === 'not-converged') throw new Error('the flows of the loop did not converge')
  return {
    flowKgS: state.circuitFlow,
    nodeHeadPa: state.nodeHead,
    headPa: state.nodeHead[network.pipeCount] ?? 0,
    totalKgS: state.totalFlow,
  }
}

/** What a campaign can do with the pump. */
export type PumpFreedom =
  /** Its head can be set, up to a maximum and, if there is one, down to a minimum. */
  | { readonly kind: 'free'; readonly maxHeadPa: number; readonly minHeadPa?: number | undefined }
  /** A controller keeps this head. */
  | { readonly kind: 'fixed-head'; readonly headPa: number }
  /** It runs at one speed; its head follows from the flow. */
  | { readonly kind: 'fixed-speed'; readonly pump: PumpCurve; readonly speed: number }

/** Highest head that the pump can give at a total flow, Pa. */
export function maxHead(pump: PumpFreedom, totalKgS: number): number {
  if (pump.kind === 'free') return pump.maxHeadPa
  if (pump.kind === 'fixed-head') return pump.headPa
  return pumpHead(pump.pump, kilogramPerSecond(totalKgS), pump.speed)
}

/** Source of the loop with a head of `headPa`. A pump with one speed ignores `headPa`: its head follows from the flow. */
export const sourceAt = (pump: PumpFreedom, headPa: number): Source =>
  pump.kind === 'fixed-speed'
    ? { kind: 'pump', pump: pump.pump, speed: pump.speed }
    : { kind: 'head', head: pascal(headPa) }
