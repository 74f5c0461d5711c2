import { type LoopModel, pathLosses, sumFlows } from '../loop/loop-model.ts'

/** Head losses by consumer, Pa; NaN without flow, or if the modelled pipes leave nothing for the consumer. */
export interface LoopLosses {
  /** Loss from the station to the consumer and back at the present flows. */
  readonly pathPa: Float64Array
  /**
   * Loss of the path, the consumer's circuit and its valve at its present opening, if every consumer had its required flow.
   */
  readonly loopPa: Float64Array
}

/** Path losses of all consumers at these flows, Pa. */
function lossesAt({ network }: LoopModel, flowKgS: Float64Array): Float64Array {
  const pipeFlow = sumFlows(network, flowKgS, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  return flowKgS.map((_, i) => path[network.circuitNode[i] ?? network.pipeCount] ?? Number.NaN)
}

/**
 * Distribution of the loop's head: Δp_path,i at the present flows, and Δp_i = Δp_path,i(ṁ*) + (H −
 * Δp_path,i(ṁ))·(ṁ*ᵢ/ṁᵢ)². ṁ are the present and ṁ* the required flows, kg/s without NaN; H is
 * the measured head of the loop, Pa. Circuit and valve take the rest of the head, independent of their curves. Worked example: loop-losses.test.ts.
 */
export function findLosses(
  model: LoopModel,
  { headPa, flowKgS }: { readonly headPa: number; readonly flowKgS: Float64Array },
  requiredKgS: Float64Array,
): LoopLosses {
  const path = lossesAt(model, flowKgS)
  const required = lossesAt(model, requiredKgS)
  const pathPa = path.map((loss, i) => ((flowKgS[i] ?? 0) > 0 && loss < headPa ? loss : Number.NaN))
  return {
    pathPa,
    loopPa: pathPa.map((loss, i) => {
      const ratio = (requiredKgS[i] ?? 0) / (flowKgS[i] ?? 0)
      return (required[i] ?? Number.NaN) + (headPa - loss) * ratio ** 2
    }),
  }
}
