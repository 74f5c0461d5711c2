import { median } from '@isotherm/kernel/statistics'
import { consumerS, type LoopModel, pathLosses, scaleCircuits, sumFlows, valveS } from '../loop/loop-model.ts'
import { raiseValve } from '../loop/valve-curve.ts'

/**
 * Reconciled means of one time window without NaN: flows in kg/s, stem openings 0..1, head at the source in Pa.
 */
export interface HydraulicSnapshot {
  readonly headPa: number
  readonly flowKgS: Float64Array
  readonly openings: Float64Array
}

export interface SnapshotIdentification {
  readonly model: LoopModel
  /** Factor on the recorded resistance of each circuit; 1 where the snapshot gives no information. */
  readonly circuitFactor: Float64Array
  /**
   * Consumers without flow, and consumers whose mains and valve need more than the head according to the records.
   */
  readonly notIdentified: readonly number[]
}

/**
 * Minimum factor on a recorded circuit resistance. A smaller one means that the record of the valve or the mains is
 * wrong.
 */
const MIN_FACTOR = 0.05

/**
 * Identifies circuits from one snapshot in closed form, with mains and valves as recorded: S_c,i = (H − Σ
 * S_e·ṁ_e²)/ṁᵢ² − S_v(uᵢ). Errors of mains and valves near the present operating point end up in the circuits, so the
 * model is exact at that point. Source: OneStep, identification from one snapshot. Worked example:
 * identify-snapshot.test.ts.
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
    // Without flow the factor is not finite.
    const isKnown = Number.isFinite(factor) && factor >= MIN_FACTOR
    if (!isKnown) notIdentified.push(i)
    if (flow > 0 && recorded > 0) circuitFactor[i] = isKnown ? factor : MIN_FACTOR
  }
  return { model: scaleCircuits(model, circuitFactor), circuitFactor, notIdentified }
}

/** A circuit is clogged from this multiple of the usual factor on: four standard deviations of a recorded one. */
const CLOGGED = 12

/**
 * The recorded loop with clogged circuits as the snapshot shows them. An identification would otherwise spread the
 * resistance of a clogged strainer over the mains, and change the flows of its neighbours too.
 */
export function clogCircuits(model: LoopModel, snapshot: HydraulicSnapshot): LoopModel {
  const { circuitFactor } = identifyFromSnapshot(model, snapshot)
  const clogged = CLOGGED * Math.max(1, median(circuitFactor) ?? 1)
  return scaleCircuits(
    model,
    circuitFactor.map((factor) => (factor > clogged ? factor : 1)),
  )
}

/**
 * Multiplies circuit and valve of each consumer by one factor so that the loop reproduces a snapshot. This removes
 * the residual of an identification from several snapshots. The resistance of a valve is inversely proportional to
 * the square of its Kv.
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
    // Without flow it is not finite.
    if (whole > 0 && Number.isFinite(whole)) factor[i] = whole
  }
  const valves = model.valves.map((valve, i) => raiseValve(valve, 1 / Math.sqrt(factor[i] ?? 1)))
  return { ...scaleCircuits(model, factor), valves }
}
