import { consumerS, type LoopModel, pathLosses, scaleCircuits, sumFlows, valveS } from '../loop/loop-model.ts'
import { raiseValve } from '../loop/valve-curve.ts'

/** Reconciled means of one window, none of them NaN: flows kg/s, stem openings 0..1, head at the source Pa. */
export interface HydraulicSnapshot {
  readonly headPa: number
  readonly flowKgS: Float64Array
  readonly openings: Float64Array
}

export interface SnapshotIdentification {
  readonly model: LoopModel
  /** Factor on each circuit's resistance as recorded; 1 where the snapshot says nothing of it. */
  readonly circuitFactor: Float64Array
  /** Consumers without flow, or whose mains and valve alone take more than the head by the records. */
  readonly notIdentified: readonly number[]
}

/** No circuit has less than this share of its recorded resistance: beyond it the valve's or the mains' record is wrong. */
const LEAST_FACTOR = 0.05

/**
 * A loop whose mains and valves are as recorded and whose circuits explain one snapshot, in closed form:
 * S_c,i = (H − Σ S_e·ṁ_e²)/ṁᵢ² − S_v(uᵢ). Errors of mains and valves near the present point go into the circuits, so
 * that what is solved from it is right there. Source: OneStep, identification from one snapshot.
 * Worked example: identify-snapshot.test.ts.
 */
export function identifyFromSnapshot(model: LoopModel, snapshot: HydraulicSnapshot): SnapshotIdentification {
  const { network } = model
  const pipeFlow = sumFlows(network, snapshot.flowKgS, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  const circuitFactor = new Float64Array(network.circuitCount).fill(1)
  const notIdentified: number[] = []
  for (let i = 0; i < circuitFactor.length; i++) {
    const flow = snapshot.flowKgS[i] ?? 0
    const recorded = network.circuitResistance[i] ?? 0
    const left = snapshot.headPa - (path[network.circuitNode[i] ?? network.pipeCount] ?? 0)
    const explained = left / flow ** 2 - valveS(model, i, snapshot.openings[i] ?? 0)
    const factor = explained / recorded
    const isKnown = flow > 0 && Number.isFinite(factor) && factor >= LEAST_FACTOR
    if (!isKnown) notIdentified.push(i)
    if (flow > 0 && recorded > 0) circuitFactor[i] = isKnown ? factor : LEAST_FACTOR
  }
  return { model: scaleCircuits(model, circuitFactor), circuitFactor, notIdentified }
}

/**
 * The loop with each consumer's circuit and valve multiplied by one factor so that it repeats a snapshot: what
 * identification from several snapshots left over as noise. Resistance of the valve falls with the square of its Kv.
 */
export function pinToSnapshot(model: LoopModel, snapshot: HydraulicSnapshot): LoopModel {
  const { network } = model
  const pipeFlow = sumFlows(network, snapshot.flowKgS, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  const factor = new Float64Array(network.circuitCount).fill(1)
  for (let i = 0; i < factor.length; i++) {
    const flow = snapshot.flowKgS[i] ?? 0
    const left = snapshot.headPa - (path[network.circuitNode[i] ?? network.pipeCount] ?? 0)
    const whole = left / flow ** 2 / consumerS(model, i, snapshot.openings[i] ?? 0)
    if (flow > 0 && whole > 0 && Number.isFinite(whole)) factor[i] = whole
  }
  const valves = model.valves.map((valve, i) => raiseValve(valve, 1 / Math.sqrt(factor[i] ?? 1)))
  return { ...scaleCircuits(model, factor), valves }
}
